/// A subscription to the commits of a file, which ends when it is released.
package final class CommitSubscription: Sendable {
  private let signal: CommitSignal
  private let number: Int

  fileprivate init(_ file: DatabaseFile, _ callback: @escaping @Sendable () -> Void) {
    signal = file.commitSignal
    number = signal.add(callback) { [weak file] in file?.commitSignal.tellSubscribers() }
  }

  deinit { signal.remove(number) }
}

extension DatabaseFile {
  /// Calls back after every commit, by this process and by others, on any thread. The callback must be quick. It
  /// may be called without a commit, and once more just after the subscription was released.
  package func subscribeToCommits(_ callback: @escaping @Sendable () -> Void) -> CommitSubscription {
    CommitSubscription(self, callback)
  }
}
