// Where people find the page: an address as text, and as a QR code for the camera of a phone. Any
// thread; it asks no other machine.
import CQRencode
import Glibc

/// The address of the page.
struct WebAddress {
  let isSecure: Bool
  /// Nil if it is served at every address of this machine.
  let bound: String?
  let port: Int

  /// - Parameter host: how the asker reaches this machine; nil: by its name on the local network,
  ///   because this program has no network in which to look for addresses.
  func text(host: String? = nil) -> String {
    let host = bound ?? host ?? Self.localName()
    let isUsual = port == (isSecure ? 443 : 80)
    return "\(isSecure ? "https" : "http")://\(host)\(isUsual ? "" : ":\(port)")/"
  }

  private static func localName() -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "reel.local" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "reel.local" : name.contains(".") ? name : name + ".local"
  }

  /// The rows of a QR code, `#` where it is dark; none if the text is too long for one. The text is
  /// written in capitals, which need a smaller code, if it is an address without a path: there they
  /// mean the same.
  static func picture(of text: String) -> [String] {
    guard text.utf8.count <= 200,
      let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 0)
    else { return [] }
    defer { QRcode_free(code) }
    let side = Int(code.pointee.width)
    guard let modules = code.pointee.data else { return [] }
    return (0..<side).map { row in
      String((0..<side).map { modules[row * side + $0] & 1 == 1 ? "#" : "." })
    }
  }
}
