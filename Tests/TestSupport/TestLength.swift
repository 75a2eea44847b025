import Foundation

/// How much the randomised tests do: what `make test` has time for, or as much as ever in `make test-long`, which sets
/// `LONG_TESTS`.
public enum TestLength {
  /// Whether LONG_TESTS is set.
  public static let isLong = ProcessInfo.processInfo.environment["LONG_TESTS"] != nil

  /// A number of rounds, rows, cases or steps.
  public static func count(_ short: Int, long: Int) -> Int { isLong ? long : short }

  /// The number in `TEST_SEED_OFFSET`, which is added to each seed: who sets it tries other ones than everybody always does.
  private static let seedOffset =
    ProcessInfo.processInfo.environment["TEST_SEED_OFFSET"].flatMap(UInt64.init) ?? 0

  /// The first few of some seeds, or all.
  public static func seeds(_ seeds: [UInt64], short: Int) -> [UInt64] {
    (isLong ? seeds : Array(seeds.prefix(short))).map { $0 &+ seedOffset }
  }
}
