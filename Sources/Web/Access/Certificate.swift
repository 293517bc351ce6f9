// The page's certificate and its key, as the operator has them. Both are read once, at the start,
// on the loop's thread; the key is never written, logged or kept where others could read it.
import CGnuTLS
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
  let validity: Validity

  /// When browsers accept it, in seconds since 1970.
  struct Validity: Equatable {
    let fromSeconds: Int64
    let untilSeconds: Int64

    /// In universal time, for the journal.
    var lastDay: String {
      var (seconds, parts) = (time_t(untilSeconds), tm())
      guard gmtime_r(&seconds, &parts) != nil else { return "" }
      var text = [CChar](repeating: 0, count: 32)
      let count = strftime(&text, text.count, "%Y-%m-%d", &parts)
      return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  init(_ files: CertificateFiles) throws(WebError) {
    chain = try Self.text(of: files.certificate)
    guard let found = Self.validity(of: chain) else {
      throw WebError(.certificate, "\(files.certificate) begins with no certificate")
    }
    validity = found
    try Self.expectPrivate(files.key)
    key = try Self.text(of: files.key)
  }

  /// That of the first certificate, which is the server's own.
  private static func validity(of chain: [CChar]) -> Validity? {
    var certificate: gnutls_x509_crt_t?
    guard gnutls_x509_crt_init(&certificate) == 0 else { return nil }
    defer { gnutls_x509_crt_deinit(certificate) }
    let isRead = chain.withUnsafeBytes { bytes in
      // The library does not write there.
      let text = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      var datum = gnutls_datum_t(
        data: text?.assumingMemoryBound(to: UInt8.self), size: UInt32(bytes.count - 1))
      return gnutls_x509_crt_import(certificate, &datum, GNUTLS_X509_FMT_PEM) == 0
    }
    let from = gnutls_x509_crt_get_activation_time(certificate)
    let until = gnutls_x509_crt_get_expiration_time(certificate)
    guard isRead, from >= 0, until >= from else { return nil }
    return Validity(fromSeconds: Int64(from), untilSeconds: Int64(until))
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
