/// SplitMix64: random numbers that the same seed repeats.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator whose numbers the seed decides.
  public init(seed: UInt64) { state = seed }

  /// Prints the seed too, with the name of the test that it belongs to.
  public init(printing seed: UInt64, _ test: String = #function) {
    print("\(test) seed: \(seed)")
    self.init(seed: seed)
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
