// What the system calls an error, so that it fits into a sentence. Any ordinary thread: the words
// are the C library's own and never change, but a String is made of them.
import CRealtime

/// "no space left on device".
public func systemWords(for errno: Int32) -> String {
  String(cString: realtime_errno_words(errno)).lowercased()
}
