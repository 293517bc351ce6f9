// Where a mounted directory is: a path, or a label of a stick and a path on it. It is looked for
// anew before each task, since a stick comes and goes. A directory that lies on the same file
// system as the recorder's root is refused: then nothing is mounted there, and a copy would be
// none. Waits for the disk.
import Glibc
import Realtime
import Systemd

/// A directory that may be absent.
public struct DiskPlace: Equatable, Sendable {
  public var target: String
  /// Below the mounted file system if there is a label; else from the root.
  public var path: String
  public var label: String?
  /// False for a directory that is no disk of its own.
  public var isMounted = true
  var labels = "/dev/disk/by-label"
  var mounts = "/proc/self/mountinfo"

  public init(target: String, path: String, label: String? = nil) {
    self.target = target
    self.path = path
    self.label = label
  }

  /// Opens the directory.
  func open() throws(LinkError) -> OpenedFile {
    let path = try wholePath()
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { throw absent(errno) }
    let opened = OpenedFile(owning: descriptor)
    var root = stat()
    var own = stat()
    if fstat(descriptor, &own) != 0 || stat("/", &root) != 0 { throw absent(errno) }
    if isMounted, own.st_dev == root.st_dev { throw notMounted }
    return opened
  }

  private func wholePath() throws(LinkError) -> String {
    guard let label else { return path }
    var device = stat()
    let link = labels + "/" + Self.escaped(label)
    guard stat(link, &device) == 0 else { throw absent(errno) }
    let number = UInt64(device.st_rdev)
    let (major, minor) = (
      number >> 8 & 0xFFF | number >> 32 & ~0xFFF, number & 0xFF | number >> 12 & ~0xFF
    )
    // A table that cannot be read has nothing in it.
    let table = (try? SmallFile.bytes(of: mounts, atMost: 1 << 20)) ?? []
    for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count > 4, words[2] == "\(major):\(minor)", words[3] == "/" {
        return Self.unescaped(words[4]) + (path.hasPrefix("/") ? path : "/" + path)
      }
    }
    throw notMounted
  }

  /// As udev writes a label: what is no letter, digit or one of a few marks becomes \xXX.
  private static func escaped(_ label: String) -> String {
    var result = ""
    for byte in label.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 128...: result.unicodeScalars.append(UnicodeScalar(byte))
      case _ where "#+-.:=@_".utf8.contains(byte): result.unicodeScalars.append(UnicodeScalar(byte))
      default: result += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return result
  }

  /// As the kernel writes a path: a blank is \040.
  private static func unescaped(_ path: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "\\"), rest.count > 3,
        let value = UInt8(String(decoding: rest.dropFirst().prefix(3), as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(4)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Errors

  func absent(_ number: Int32) -> LinkError {
    LinkError(
      .absent, .target, number: Int(number),
      label.map { "The disk “\($0)” of \(target) is not there; plug it in." }
        ?? "The directory \(path) of \(target) is not there; mount it.")
  }

  private var notMounted: LinkError {
    LinkError(
      .absent, .target,
      "No disk is mounted for \(target); mount it, or set 'mounted' to false if the directory is"
        + " none.")
  }

  /// Returns what an errno of a task means.
  func failure(_ number: Int32) -> RemoteAnswer {
    switch number {
    case ENOSPC, EDQUOT, EFBIG:
      .failed(
        LinkError(
          .space, number == EFBIG ? .recording : .target, number: Int(number),
          "\(target) has no space left, or the quota is used up; make room there."))
    case EACCES, EPERM, EROFS:
      .failed(
        LinkError(
          .credentials, number == EROFS ? .target : .recording, number: Int(number),
          "\(target) cannot be written: \(systemWords(for: number)); check its rights."))
    case EINVAL, ENAMETOOLONG, EILSEQ, ELOOP, EISDIR:
      .failed(
        LinkError(
          .name, .recording, number: Int(number),
          "\(target) does not accept the name; rename the recording."))
    case ENODEV, ENXIO, EIO, ENOTCONN, ESTALE, ESHUTDOWN, EHOSTDOWN, ETIMEDOUT:
      .failed(absent(number))
    default:
      .failed(
        LinkError(
          .server, .recording, number: Int(number),
          "\(target) failed: \(systemWords(for: number)); it is tried again."))
    }
  }
}

/// A mounted directory, or a stick.
public struct DirectoryTarget: Target, Equatable {
  public let place: DiskPlace
  public var name: String { place.target }

  public init(_ place: DiskPlace) { self.place = place }

  public var traits: TargetTraits {
    var traits = TargetTraits()
    traits.resumes = true
    return traits
  }

  public func request(for operation: RemoteOperation) -> TargetRequest { .disk(place) }

  public func answer(to operation: RemoteOperation, _ result: TransferResult) -> RemoteAnswer {
    .failed(.unexpected("read"))
  }
}
