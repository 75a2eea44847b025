/// Tells of the commits to a file until it is released.
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
  /// Calls back after every commit, of this process and of others, on any thread. The callback must be quick. It
  /// may come without a commit, and once more just after the subscription was released.
  package func subscribeToCommits(_ callback: @escaping @Sendable () -> Void) -> CommitSubscription {
    CommitSubscription(self, callback)
  }
}
