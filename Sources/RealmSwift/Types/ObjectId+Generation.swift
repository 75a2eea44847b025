import Foundation
import Synchronization

extension ObjectId {
  /// Creates a new identifier from the current second, five bytes chosen at random once per process, and a
  /// counter with a random start.
  ///
  /// Can be called on any thread. Two identifiers differ as long as one process creates no more than
  /// 16,777,216 of them in a second. A forked process chooses five bytes of its own.
  public static func generate() -> ObjectId {
    ObjectId(
      seconds: seconds(of: Date()), origin: ObjectIdSource.origin(), counter: ObjectIdSource.nextCount())
  }
}

/// What identifiers made by this process have in common, and what tells them apart.
enum ObjectIdSource {
  private static let processOrigin = Atomic<UInt64>(randomOrigin())
  private static let counter = Atomic<UInt32>(.random(in: 0...0xFF_FFFF))

  // A forked child starts with copies of the parent's origin and counter and would repeat its identifiers.
  private static let redrawsOriginAfterFork: Bool =
    pthread_atfork(nil, nil) { processOrigin.store(randomOrigin(), ordering: .relaxed) } == 0

  /// The five bytes that stand for this process.
  static func origin() -> UInt64 {
    _ = redrawsOriginAfterFork
    return processOrigin.load(ordering: .relaxed)
  }

  /// The next number of the counter shared by all threads; callers keep its lower 24 bits.
  static func nextCount() -> UInt32 {
    counter.wrappingAdd(1, ordering: .relaxed).oldValue
  }

  private static func randomOrigin() -> UInt64 {
    .random(in: 0...0xFF_FFFF_FFFF)
  }
}
