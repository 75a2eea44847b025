/// Texts by characters, which are Unicode scalars here: they can be counted without knowing what they look like.
enum TextLength {
  static func of(_ text: UnsafeRawBufferPointer) -> Int {
    var count = 0
    for byte in text { count &+= byte & 0xC0 == 0x80 ? 0 : 1 }
    return count
  }

  /// Returns the number of bytes that the first characters take; nil when there are no more than those.
  static func prefix(_ characters: Int, of text: UnsafeRawBufferPointer) -> Int? {
    if text.count <= characters { return nil }
    var count = 0
    for (position, byte) in text.enumerated() where byte & 0xC0 != 0x80 {
      if count == characters { return position }
      count += 1
    }
    return nil
  }
}
