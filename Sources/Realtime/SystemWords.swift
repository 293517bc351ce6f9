// The C library's words for an errno, in lower case, so that they fit into a sentence. Any ordinary
// thread: it makes a String of them.
import CRealtime

/// Returns the words for an errno, such as "no space left on device".
public func systemWords(for errno: Int32) -> String {
  String(cString: realtime_errno_words(errno)).lowercased()
}
