import Glibc
import Synchronization

/// A snapshot as others see it who ask which versions of the file are in use.
public final class FileReader: Sendable {
  private let versionNumber = Atomic<UInt64>(0)
  private let time = Atomic<Int>(0)
  private let ownerText = Mutex<(@Sendable () -> String)?>(nil)

  /// The version that is read.
  public var version: UInt64 { versionNumber.load(ordering: .relaxed) }
  /// Since when, in whole seconds since 1970.
  public var since: Int { time.load(ordering: .relaxed) }
  /// Whose snapshot it is, as messages name it.
  public var owner: String? { ownerText.withLock { $0 }?() }

  public func setOwner(_ text: @escaping @Sendable () -> String) { ownerText.withLock { $0 = text } }

  func note(version: UInt64) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    versionNumber.store(version, ordering: .relaxed)
    time.store(now.tv_sec, ordering: .relaxed)
  }
}

extension DatabaseFile {
  /// Those in this process who read the file, the oldest version first.
  public var readers: [FileReader] {
    readerList.withLock { Array($0.values) }.sorted { ($0.version, $0.since) < ($1.version, $1.since) }
  }
}
