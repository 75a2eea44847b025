/// A string of at most fifteen ASCII characters lies in its two words, without any memory of its own.
///
/// The characters stand in the order of the bytes from the lowest one on; the highest byte is 0xE0 and their number
/// (swift/stdlib/public/core/StringObject.swift and SmallString.swift). So in Swift 5.9 to 6.3 on 64-bit processors other than
/// Apple's, which have the same form but are not asked. To build one costs half of what `String(decoding:as:)` does, which is
/// the other way. Checked with strings of each length.
package enum ShortString {
  package static let isKnown = RuntimeFact.shortStrings.isSo {
    #if canImport(ObjectiveC) || _endian(big) || !(arch(x86_64) || arch(arm64))
      return false
    #else
      let letters = Array("aZ09 ~q-Xy_bc.!".utf8)
      return MemoryLayout<String>.size == 16
        && (0...letters.count).allSatisfy { length in
          var words: (UInt64, UInt64) = (0, 0)
          for (place, letter) in letters[..<length].enumerated() {
            let bits = UInt64(letter) << UInt64(place % 8 * 8)
            if place < 8 { words.0 |= bits } else { words.1 |= bits }
          }
          words.1 |= (0xE0 | UInt64(length)) << 56
          let made = unsafeBitCast(
            String(decoding: letters[..<length], as: UTF8.self), to: (UInt64, UInt64).self)
          return made == words
        }
    #endif
  }
}
