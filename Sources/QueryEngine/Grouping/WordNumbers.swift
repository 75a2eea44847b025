/// Numbers 64-bit words in the order in which they are first seen, by open addressing.
struct WordNumbers {
  /// The words, each at its number.
  private(set) var words: ContiguousArray<UInt64> = []
  /// The number of the word that belongs at a place of the hash table, or at one before it; `UInt32.max` where there
  /// is none. Always a power of two of them.
  private var places = ContiguousArray<UInt32>(repeating: .max, count: 64)

  @inline(__always) mutating func number(of word: UInt64) -> UInt32 {
    let mask = places.count &- 1
    var place = Self.hash(word) & mask
    while true {
      let number = places[place]
      if number == .max { return add(word, at: place) }
      if words[Int(number)] == word { return number }
      place = (place &+ 1) & mask
    }
  }

  @inline(never) private mutating func add(_ word: UInt64, at place: Int) -> UInt32 {
    let number = UInt32(words.count)
    words.append(word)
    places[place] = number
    if words.count &* 2 > places.count { grow() }
    return number
  }

  private mutating func grow() {
    let mask = places.count &* 2 &- 1
    places = ContiguousArray(repeating: .max, count: places.count &* 2)
    for (number, word) in words.enumerated() {
      var place = Self.hash(word) & mask
      while places[place] != .max { place = (place &+ 1) & mask }
      places[place] = UInt32(number)
    }
  }

  /// The upper half of a product depends on all bits of the word.
  @inline(__always) private static func hash(_ word: UInt64) -> Int {
    let product = (word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return Int(truncatingIfNeeded: (product.high ^ product.low) >> 1)
  }
}
