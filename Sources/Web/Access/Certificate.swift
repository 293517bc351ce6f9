// The page's certificate and its key, as the operator has them. Both are read once, at the start,
// on the loop's thread; the key is never written, logged or kept where others could read it.
import Glibc
import Realtime

/// Files in PEM: the certificate with those that vouch for it, and its key.
public struct CertificateFiles: Equatable, Sendable {
  public let certificate: String
  public let key: String

  public init(certificate: String, key: String) {
    (self.certificate, self.key) = (certificate, key)
  }

  /// Those that systemd passed (`LoadCredential=certificate.pem:…`). One without the other is an
  /// error when it is read: the page would be open to the network, and its operator would not know.
  public static func passed() -> CertificateFiles? {
    guard let directory = getenv("CREDENTIALS_DIRECTORY") else { return nil }
    let path = String(cString: directory)
    let files = CertificateFiles(certificate: path + "/certificate.pem", key: path + "/key.pem")
    let isPassed = access(files.certificate, F_OK) == 0 || access(files.key, F_OK) == 0
    return isPassed ? files : nil
  }
}

/// The contents of both files, each with a zero behind it.
struct Certificate {
  let chain: [CChar]
  let key: [CChar]

  init(_ files: CertificateFiles) throws(WebError) {
    chain = try Self.text(of: files.certificate)
    try Self.expectPrivate(files.key)
    key = try Self.text(of: files.key)
  }

  private static let bytesMaximum = 64 << 10

  private static func text(of path: String) throws(WebError) -> [CChar] {
    let bytes: [UInt8]
    do throws(SmallFile.ReadError) {
      bytes = try SmallFile.bytes(of: path, atMost: bytesMaximum + 1, followsLink: true)
    } catch {
      throw WebError(.certificate, "cannot read \(path): \(error.words)")
    }
    guard bytes.count <= bytesMaximum, !bytes.contains(0),
      String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ")
    else { throw WebError(.certificate, "\(path) is no file in PEM") }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }

  private static func expectPrivate(_ path: String) throws(WebError) {
    var about = stat()
    guard stat(path, &about) == 0, about.st_mode & 0o007 != 0 else { return }
    throw WebError(.certificate, "others can read the key \(path): chmod o= \(path)")
  }
}
