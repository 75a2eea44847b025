import LibC
import Synchronization

/// A snapshot, or what keeps its version, as others see it who ask which versions of the file are in use.
package final class VersionReader: Sendable {
  private let versionNumber = Atomic<UInt64>(0)
  private let time = Atomic<Int>(0)
  private let ownerSource = Mutex<OwnerSource?>(nil)

  /// Holds a function that tells the owner. A function that lies in generic storage itself gets another wrapper around
  /// it whenever it is taken out, or only looked at in place.
  private final class OwnerSource: Sendable {
    let owner: @Sendable () -> Owner
    init(_ owner: @escaping @Sendable () -> Owner) { self.owner = owner }
  }

  /// Who reads.
  package struct Owner: Sendable {
    /// As messages name it.
    package let name: String
    /// Where in the program's code the reading began.
    package let location: CodeLocation?

    package init(name: String, location: CodeLocation?) {
      self.name = name
      self.location = location
    }
  }

  /// The version that is read.
  package var version: UInt64 { versionNumber.load(ordering: .relaxed) }
  /// Since when, in whole seconds since 1970.
  package var since: Int { time.load(ordering: .relaxed) }
  /// Whose snapshot it is.
  package var owner: Owner? { ownerSource.withLock { $0 }?.owner() }

  /// - Parameter owner: Is called when the owner is asked for.
  package func setOwner(_ owner: @escaping @Sendable () -> Owner) {
    let source = OwnerSource(owner)
    ownerSource.withLock { $0 = source }
  }

  /// Has the same owner as another reader.
  func copyOwner(of other: VersionReader) {
    let source = other.ownerSource.withLock { $0 }
    ownerSource.withLock { $0 = source }
  }

  func note(version: UInt64) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    versionNumber.store(version, ordering: .relaxed)
    time.store(now.tv_sec, ordering: .relaxed)
  }
}
