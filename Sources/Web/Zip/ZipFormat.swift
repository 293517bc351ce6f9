// The records of a zip archive whose entries are stored, not compressed, and written without going
// back: the checksum of each follows it. With 64-bit sizes and places where they are needed
// (zip64). Pure; APPNOTE.TXT 6.3 is the reference.
import Glibc

/// One file of an archive.
struct ZipEntry {
  /// In UTF-8, with slashes.
  let name: [UInt8]
  let size: UInt64
  let dosTime: UInt32
  var checksum: UInt32 = 0
  var offset: UInt64 = 0

  init(name: String, size: UInt64, modifiedSeconds: Int) {
    self.name = Array(name.utf8)
    self.size = size
    dosTime = Self.dosTime(modifiedSeconds)
  }

  private var isLarge: Bool { size >= ZipFormat.limit }

  /// The record before the bytes. The checksum is not known yet, which a flag says; the size is, so
  /// that a reader which does not seek finds the end.
  var header: [UInt8] {
    var bytes = Self.little(0x0403_4b50, 4) + Self.little(isLarge ? 45 : 20, 2)
    bytes += Self.little(Self.flags, 2) + Self.little(0, 2) + Self.little(UInt64(dosTime), 4)
    bytes += Self.little(0, 4)
    bytes += Self.little(isLarge ? ZipFormat.limit : size, 4)
    bytes += Self.little(isLarge ? ZipFormat.limit : size, 4)
    bytes += Self.little(UInt64(name.count), 2) + Self.little(isLarge ? 20 : 0, 2) + name
    if isLarge {
      bytes += Self.little(1, 2) + Self.little(16, 2) + Self.little(size, 8)
      bytes += Self.little(size, 8)
    }
    return bytes
  }

  /// The record after the bytes.
  var descriptor: [UInt8] {
    let width = isLarge ? 8 : 4
    var bytes = Self.little(0x0807_4b50, 4) + Self.little(UInt64(checksum), 4)
    bytes += Self.little(size, width)
    bytes += Self.little(size, width)
    return bytes
  }

  /// The record in the directory at the archive's end.
  var directoryRecord: [UInt8] {
    var extra: [UInt8] = []
    if isLarge { extra += Self.little(size, 8) + Self.little(size, 8) }
    if offset >= ZipFormat.limit { extra += Self.little(offset, 8) }
    if !extra.isEmpty { extra = Self.little(1, 2) + Self.little(UInt64(extra.count), 2) + extra }
    // Made on Unix, so that the mode of the file counts: 0644.
    var bytes = Self.little(0x0201_4b50, 4) + Self.little(3 << 8 | 45, 2)
    bytes += Self.little(extra.isEmpty ? 20 : 45, 2) + Self.little(Self.flags, 2)
    bytes += Self.little(0, 2) + Self.little(UInt64(dosTime), 4)
    bytes += Self.little(UInt64(checksum), 4)
    bytes += Self.little(isLarge ? ZipFormat.limit : size, 4)
    bytes += Self.little(isLarge ? ZipFormat.limit : size, 4)
    bytes += Self.little(UInt64(name.count), 2) + Self.little(UInt64(extra.count), 2)
    bytes += Self.little(0, 2) + Self.little(0, 2) + Self.little(0, 2)
    bytes += Self.little(0o100644 << 16, 4)
    bytes += Self.little(min(offset, ZipFormat.limit), 4)
    return bytes + name + extra
  }

  /// The checksum follows the bytes (bit 3), and the name is UTF-8 (bit 11).
  private static let flags: UInt64 = 1 << 3 | 1 << 11

  static func little(_ value: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  /// The local time in steps of two seconds, from 1980 to 2107.
  private static func dosTime(_ seconds: Int) -> UInt32 {
    var time = time_t(seconds)
    var local = tm()
    guard localtime_r(&time, &local) != nil, (80...207).contains(local.tm_year) else {
      return 1 << 21 | 1 << 16
    }
    let date = (local.tm_year - 80) << 9 | (local.tm_mon + 1) << 5 | local.tm_mday
    let clock = local.tm_hour << 11 | local.tm_min << 5 | min(local.tm_sec, 59) / 2
    return UInt32(date) << 16 | UInt32(clock)
  }
}

enum ZipFormat {
  /// From here on 32 bits do not do.
  static let limit: UInt64 = 0xffff_ffff

  /// The records at the archive's end. `offset` is where the directory of `size` bytes begins.
  static func end(count: Int, offset: UInt64, size: UInt64) -> [UInt8] {
    let isLarge = count >= 0xffff || offset >= limit || size >= limit
    var bytes: [UInt8] = []
    if isLarge {
      bytes += ZipEntry.little(0x0606_4b50, 4) + ZipEntry.little(44, 8)
      bytes += ZipEntry.little(3 << 8 | 45, 2) + ZipEntry.little(45, 2)
      bytes += ZipEntry.little(0, 4) + ZipEntry.little(0, 4)
      bytes += ZipEntry.little(UInt64(count), 8) + ZipEntry.little(UInt64(count), 8)
      bytes += ZipEntry.little(size, 8) + ZipEntry.little(offset, 8)
      bytes += ZipEntry.little(0x0706_4b50, 4) + ZipEntry.little(0, 4)
      bytes += ZipEntry.little(offset + size, 8) + ZipEntry.little(1, 4)
    }
    let entries = UInt64(min(count, 0xffff))
    bytes += ZipEntry.little(0x0605_4b50, 4) + ZipEntry.little(0, 4)
    bytes += ZipEntry.little(entries, 2) + ZipEntry.little(entries, 2)
    bytes += ZipEntry.little(min(size, limit), 4) + ZipEntry.little(min(offset, limit), 4)
    return bytes + ZipEntry.little(0, 2)
  }
}
