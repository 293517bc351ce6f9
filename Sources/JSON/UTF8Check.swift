// Finds where bytes are not UTF-8. Text of ASCII alone, which most is, is skipped in large steps. A
// pure function for any thread.

/// The offset of the first byte that is not UTF-8; nil if there is none.
func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> Int? {
  var offset = plainPrefix(of: bytes, from: 0)
  while offset < bytes.count {
    guard let width = scalarWidth(in: bytes, at: offset) else { return offset }
    offset += width
    // Characters beyond ASCII come in groups, so large steps begin again behind an ASCII one.
    if width == 1 { offset = plainPrefix(of: bytes, from: offset) }
  }
  return nil
}

/// Skips ASCII in steps of 32 bytes, then of 8; returns where it stopped.
private func plainPrefix(of bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
  let step = 32
  var offset = start
  while bytes.count - offset >= step {
    var all: UInt64 = 0
    for place in stride(from: offset, to: offset + step, by: 8) {
      all |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }
    if all & 0x8080_8080_8080_8080 != 0 { break }
    offset += step
  }
  while bytes.count - offset >= 8,
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
  {
    offset += 8
  }
  return offset
}

/// The length in bytes of the character at `offset`; nil if it is not valid by RFC 3629, such as a
/// surrogate or an overlong form.
private func scalarWidth(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
  let first = bytes[offset]
  if first < 0x80 { return 1 }
  let (width, second): (Int, ClosedRange<UInt8>)
  switch first {
  case 0xC2...0xDF: (width, second) = (2, 0x80...0xBF)
  case 0xE0: (width, second) = (3, 0xA0...0xBF)
  case 0xED: (width, second) = (3, 0x80...0x9F)
  case 0xE1...0xEF: (width, second) = (3, 0x80...0xBF)
  case 0xF0: (width, second) = (4, 0x90...0xBF)
  case 0xF4: (width, second) = (4, 0x80...0x8F)
  case 0xF1...0xF3: (width, second) = (4, 0x80...0xBF)
  default: return nil
  }
  guard bytes.count - offset >= width, second.contains(bytes[offset + 1]) else { return nil }
  for place in 2..<max(width, 2) where bytes[offset + place] & 0xC0 != 0x80 { return nil }
  return width
}
