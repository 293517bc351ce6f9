// Open files passed over the socket beside a line (SCM_RIGHTS): sent, received, and checked before
// a command uses them. Any thread; nothing here waits.

import Glibc
import Realtime
import Recorder

enum PassedFile {
  /// Returns why the files cannot be used for a command; nil if they can.
  static func mistake(of files: [Int32], for words: [String]) -> CommandError? {
    if files.isEmpty { return nil }
    switch words.first {
    case "export", "join": return files.lazy.compactMap { mistake(of: $0, isWritten: true) }.first
    case "import": return files.lazy.compactMap { mistake(of: $0, isWritten: false) }.first
    default:
      return CommandError("badFile", "That command takes no files; export, join and import do.")
    }
  }

  /// Accepts only regular files: a device or a pipe may block its reader for ever.
  private static func mistake(of file: Int32, isWritten: Bool) -> CommandError? {
    let flags = fcntl(file, F_GETFL)
    guard flags >= 0, flags & pathOnly == 0, let known = ForeignFile.typeAndSize(of: file),
      known.type == S_IFREG
    else { return CommandError("badFile", "What was passed is no file: pass one that is opened.") }
    let access = flags & O_ACCMODE
    if !isWritten {
      return access == O_WRONLY
        ? CommandError("badFile", "The file that was passed cannot be read: open it for reading.")
        : nil
    }
    if access != O_RDWR || flags & O_APPEND != 0 {
      return CommandError(
        "badFile",
        "The file that was passed cannot be written: open it for reading and writing, and not to"
          + " append.")
    }
    return known.byteCount == 0
      ? nil
      : CommandError("badFile", "The file that was passed is not empty; nothing is written over.")
  }
}

/// What one call of recvmsg(2) received.
public struct SocketInput {
  /// The result of recvmsg(2).
  public internal(set) var count: Int
  public internal(set) var files: [Int32] = []
  /// More files arrived than there was room for; the kernel has closed the rest.
  public internal(set) var isCut = false
}

extension SocketFile {
  /// The most files that one call receives.
  static let filesAtOnce = 16
  private static let headerBytes = MemoryLayout<cmsghdr>.size

  /// Reads available bytes, and the files passed with them, which the caller must close.
  public static func receive(from socket: Int32, into buffer: inout [UInt8]) -> SocketInput {
    var control = [UInt8](repeating: 0, count: headerBytes + 4 * filesAtOnce)
    var input = SocketInput(count: 0)
    var used = 0
    buffer.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { space in
        var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        withUnsafeMutablePointer(to: &vector) { vector in
          var message = msghdr()
          message.msg_iov = vector
          message.msg_iovlen = 1
          message.msg_control = space.baseAddress
          message.msg_controllen = space.count
          input.count = recvmsg(socket, &message, Int32(MSG_DONTWAIT) | closeOnExec)
          input.isCut = input.count >= 0 && message.msg_flags & Int32(MSG_CTRUNC) != 0
          used = input.count >= 0 ? message.msg_controllen : 0
        }
      }
    }
    input.files = files(in: control[..<used])
    return input
  }

  /// Sends some of the bytes, and the files with them. Returns the result of sendmsg(2).
  public static func send(
    _ bytes: ArraySlice<UInt8>, with files: [Int32], to socket: Int32, flags: Int32 = 0
  ) -> Int {
    var control = header(for: files)
    return bytes.withUnsafeBytes { bytes in
      control.withUnsafeMutableBytes { space in
        var vector = iovec(
          iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &vector) { vector in
          var message = msghdr()
          message.msg_iov = vector
          message.msg_iovlen = 1
          if !files.isEmpty {
            message.msg_control = space.baseAddress
            message.msg_controllen = space.count
          }
          return sendmsg(socket, &message, flags | Int32(MSG_NOSIGNAL))
        }
      }
    }
  }

  /// Returns one control message, padded to whole words.
  private static func header(for files: [Int32]) -> [UInt8] {
    let length = headerBytes + 4 * files.count
    var control = [UInt8](repeating: 0, count: (length + 7) / 8 * 8)
    control.withUnsafeMutableBytes { bytes in
      var header = cmsghdr()
      header.cmsg_len = length
      header.cmsg_level = SOL_SOCKET
      header.cmsg_type = rights
      bytes.storeBytes(of: header, as: cmsghdr.self)
      for (index, file) in files.enumerated() {
        bytes.storeBytes(of: file, toByteOffset: headerBytes + 4 * index, as: Int32.self)
      }
    }
    return control
  }

  private static func files(in control: ArraySlice<UInt8>) -> [Int32] {
    control.withUnsafeBytes { bytes in
      guard bytes.count >= headerBytes else { return [] }
      let header = bytes.loadUnaligned(as: cmsghdr.self)
      guard header.cmsg_level == SOL_SOCKET, header.cmsg_type == rights else { return [] }
      let end = min(Int(header.cmsg_len), bytes.count)
      return stride(from: headerBytes, to: end - 3, by: 4).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self)
      }
    }
  }
}

/// SCM_RIGHTS and MSG_CMSG_CLOEXEC, which Glibc hides from Swift.
private let rights: Int32 = 1
private let closeOnExec: Int32 = 0x4000_0000
