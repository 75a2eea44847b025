import Foundation
import TestSupport

/// The seeds of the simulations: SEEDS and FIRST_SEED in the environment say which, if they are set.
enum SimulatedSeeds {
  /// - Parameter share: Of how many of these seeds one is tried.
  static func range(usual: Int, long: Int, share: UInt64 = 1) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["FIRST_SEED"].flatMap { UInt64($0) } ?? 0
    let count = environment["SEEDS"].flatMap { UInt64($0) }
    return first..<first + (count.map { max($0 / share, 1) } ?? UInt64(TestLength.count(usual, long: long)))
  }
}
