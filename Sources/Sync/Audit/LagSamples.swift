/// The last 100 times that something took, in milliseconds.
package struct LagSamples: Sendable, Hashable {
  private var samples: [Int64] = []
  private var position = 0

  private static let limit = 100

  package init() {}

  package mutating func add(_ milliseconds: Int64) {
    let sample = max(milliseconds, 0)
    if samples.count < Self.limit {
      samples.append(sample)
    } else {
      samples[position] = sample
      position = (position + 1) % Self.limit
    }
  }

  package var isEmpty: Bool { samples.isEmpty }
  package var maximum: Int64 { samples.max() ?? 0 }
  /// The greater of the two in the middle, if their number is even.
  package var median: Int64 { samples.isEmpty ? 0 : samples.sorted()[samples.count / 2] }
}
