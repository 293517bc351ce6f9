// Owners of what libcurl makes: the multi handle, a transfer's handle, and a list of lines. Each is
// freed once, by its owner's end. They belong to the loop's thread, as all of libcurl does here.
import CCurl

/// A handle of one transfer.
struct EasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer

  init() throws(LinkError) {
    // Returns at once from the second time on; there is one thread.
    guard reel_curl_start() == CURLE_OK, let made = curl_easy_init() else {
      throw .noMemory
    }
    pointer = made
  }

  deinit { curl_easy_cleanup(pointer) }

  func set(_ option: CURLoption, _ value: Int) { reel_curl_set_long(pointer, option, value) }
  func set(_ option: CURLoption, large value: Int64) {
    reel_curl_set_offset(pointer, option, curl_off_t(value))
  }
  func set(_ option: CURLoption, _ value: String) { reel_curl_set_text(pointer, option, value) }
  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
    reel_curl_set_pointer(pointer, option, value)
  }
  func set(_ option: CURLoption, _ lines: borrowing LineList) {
    reel_curl_set_list(pointer, option, lines.first)
  }

  func long(_ info: CURLINFO) -> Int { reel_curl_get_long(pointer, info) }
  func offset(_ info: CURLINFO) -> Int64 { Int64(reel_curl_get_offset(pointer, info)) }
  func text(_ info: CURLINFO) -> String? {
    reel_curl_get_text(pointer, info).map { String(cString: $0) }
  }
}

/// The handle that performs several transfers.
struct MultiHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer

  init() throws(LinkError) {
    guard reel_curl_start() == CURLE_OK, let made = curl_multi_init() else { throw .noMemory }
    pointer = made
  }

  deinit { curl_multi_cleanup(pointer) }
}

/// Lines of headers or commands, copied into C.
struct LineList: ~Copyable {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  init(_ lines: [String]) throws(LinkError) {
    var all: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(all, line) else {
        curl_slist_free_all(all)
        throw .noMemory
      }
      all = longer
    }
    first = all
  }

  deinit { curl_slist_free_all(first) }
}
