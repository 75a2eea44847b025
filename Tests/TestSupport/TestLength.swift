import Foundation

/// How much the randomised tests do: what `make test` has time for, or as much as ever in `make test-long`, which sets
/// `LONG_TESTS`.
public enum TestLength {
  /// Whether LONG_TESTS is set.
  public static let isLong = ProcessInfo.processInfo.environment["LONG_TESTS"] != nil

  /// A number of rounds, rows, cases or steps.
  public static func count(_ short: Int, long: Int) -> Int { isLong ? long : short }

  /// The first few of some seeds, or all.
  public static func seeds(_ seeds: [UInt64], short: Int) -> [UInt64] {
    isLong ? seeds : Array(seeds.prefix(short))
  }
}
