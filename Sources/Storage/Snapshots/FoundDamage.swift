public import Synchronization

/// Records damage where the reader is to continue, and to fail in the end, instead of stopping the program: in a
/// migration, whose block reads by functions that cannot throw.
///
/// A value that cannot be read reads as if it had never been written: zero, empty or null, of its type. A collection
/// that a block asks for is empty when any of its elements cannot be read, so that no link leads anywhere. None of
/// what is made of that is ever committed: a write transaction of a snapshot that has come upon damage fails.
///
/// Public, with one member, so that other modules inline it: each access of the C interface asks for that member.
public final class FoundDamage: Sendable {
  private struct State {
    var error: StorageError?
    var hasEnded = false
    /// Of the indexes that were looked at as a whole, whether they are sound.
    var indexes: [UInt32: Bool] = [:]
    var soundElements: Elements?
  }

  /// The verified elements of a collection, valid until something changes.
  struct Elements: Equatable {
    let snapshot: ObjectIdentifier
    let stamp: Int
    let key: CollectionKey
  }

  private let state = Mutex(State())
  @usableFromInline let mark = Atomic(false)

  package init() {}

  /// Whether there was any.
  @inlinable @inline(__always) public var isFound: Bool { mark.load(ordering: .relaxed) }
  /// What was found first.
  package var error: StorageError? { state.withLock { $0.error } }

  /// From now on damage stops the program again: what outlives a migration reads nothing that is not there.
  package func end() { state.withLock { $0.hasEnded = true } }

  func note(_ error: StorageError) -> Bool {
    state.withLock { state in
      if state.hasEnded { return false }
      if state.error == nil { state.error = error }
      mark.store(true, ordering: .relaxed)
      return true
    }
  }

  func isSound(index: UInt32) -> Bool? { state.withLock { $0.indexes[index] } }
  func note(index: UInt32, isSound: Bool) { state.withLock { $0.indexes[index] = isSound } }

  /// Whether these were the last that were found sound: a program often asks for a collection again at each step of a walk.
  func areSound(_ elements: Elements) -> Bool { state.withLock { $0.soundElements == elements } }
  func note(sound elements: Elements) { state.withLock { $0.soundElements = elements } }
}
