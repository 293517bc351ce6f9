// How the card's file system is mounted, as far as the store needs it, from the kernel's mount
// table: no other call has it all. Read when a card is opened, on the card's thread.

import CKernel
import Glibc
import Tape

struct Mount: Equatable {
  /// Options of the mount and of the file system, such as "rw", "dirsync", "upperdir=/x".
  var options: [String] = []

  /// The mount of a descriptor's file system; without options if unknown.
  static func of(_ descriptor: Int32) -> Mount {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Mount() }
    // As in the C macros: twelve bits of major, twenty of minor.
    let device = UInt64(status.st_dev)
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    return of(device: "\(major):\(minor)", in: table())
  }

  /// Uses the device's last line: a later mount covers an earlier one.
  static func of(device: String, in table: String) -> Mount {
    var found = Mount()
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 6, fields[2] == device,
        let dash = fields[6...].firstIndex(of: "-"), fields.count > dash + 3
      else { continue }
      let options = fields[5].split(separator: ",") + fields[dash + 3].split(separator: ",")
      found.options = options.map(unescaped)
    }
    return found
  }

  /// The kernel escapes blanks and the like as a backslash and three octal digits.
  private static func unescaped(_ field: Substring) -> String {
    guard field.contains("\\") else { return String(field) }
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.count == 3, let code = UInt8(digits, radix: 8) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func table() -> String {
    do {
      let file = try PosixFile.open("/proc/self/mountinfo", .read)
      var bytes: [UInt8] = []
      // Its length is unknown until it is read.
      while case let piece = try file.bytes(at: Int64(bytes.count), count: 1 << 16), !piece.isEmpty
      {
        bytes += piece
      }
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      // Without /proc the options are unknown.
      return ""
    }
  }

  /// Where an overlay stores what is written.
  var upperDirectory: String? {
    options.first { $0.hasPrefix("upperdir=") }.map { String($0.dropFirst("upperdir=".count)) }
  }
}

enum FileSystemKind {
  /// FAT and exFAT, by their magic numbers in `statfs`.
  private static let (fat, exFat) = (0x4d44, 0x2011_bab0)
  /// tmpfs and ramfs.
  private static let memory = [0x0102_1994, 0x8584_58f6]
  private static let overlay = 0x794c_7630

  static func isFat(_ kind: Int) -> Bool { kind == fat || isExFat(kind) }
  static func isExFat(_ kind: Int) -> Bool { kind == exFat }

  /// Whether data is lost at a restart. `kindAt` returns the kind of file system at an absolute
  /// path; nil if the path is not visible, as in a container: then false.
  static func isVolatile(_ kind: Int, _ mount: Mount, kindAt: (String) -> Int?) -> Bool {
    if memory.contains(kind) { return true }
    guard kind == overlay, let upper = mount.upperDirectory.flatMap(kindAt) else { return false }
    return memory.contains(upper)
  }

  static func at(_ path: String) -> Int? {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return nil }
    defer { close(directory) }
    return reel_file_system_kind(directory)
  }
}
