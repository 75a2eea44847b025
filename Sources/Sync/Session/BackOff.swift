/// The time between two attempts: doubled with each, with a random part, so that clients do not come all at once.
struct BackOff {
  private var seconds = 0.1

  mutating func next() -> Double {
    defer { seconds = min(seconds * 2, 60) }
    return seconds * Double.random(in: 0.5...1)
  }
}
