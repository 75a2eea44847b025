import Synchronization

/// A mark that several threads share.
final class Mark: Sendable {
  private let value = Atomic(false)

  func set() { value.store(true, ordering: .releasing) }
  var isSet: Bool { value.load(ordering: .acquiring) }
}
