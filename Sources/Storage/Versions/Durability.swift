/// When a commit is on the disk.
package enum Durability: Sendable, Hashable {
  /// A commit returns when the disk has it.
  case full
  /// A commit returns at once and is visible to all; `DatabaseFile.whenSynced` tells when the disk has it. After a
  /// failure of the system the file is one of its versions, and none older than the disk was known to have.
  case deferred
  /// Commits survive the process: the operating system writes them when it sees fit. A power failure may lose the
  /// latest ones.
  case relaxed
}
