import Foundation
import Storage

extension Realm {
  /// What is known of a realm's file: its size, and who keeps versions of it from being overwritten.
  ///
  /// The file grows as long as an old version is in use: what later versions no longer need can only be overwritten
  /// when no older version needs it. A live realm uses the version that it shows, a frozen one that which it was made
  /// of. Realms that can follow the writes of others do not keep old versions; one on a thread without a run loop
  /// does until it is refreshed, invalidated or closed.
  public struct Diagnostics: Sendable, CustomStringConvertible {
    /// Somebody who uses a version.
    public struct Reader: Sendable {
      /// The version's number.
      public let version: UInt64
      /// The thread, queue or actor of the realm, or another process.
      public let owner: String
      /// Since when it is used, to the second; nil for other processes.
      public let since: Date?
    }

    /// The number of the newest version.
    public let newestVersion: UInt64
    /// The number of versions from the oldest one in use to the newest, which
    /// `Configuration.maximumNumberOfActiveVersions` limits.
    public let activeVersionCount: Int
    /// The bytes of the file.
    public let fileSize: Int
    /// Those of them that hold data of the newest version or of one in use.
    public let usedSize: Int
    /// All who use a version, the oldest version first.
    public let readers: [Reader]

    public var description: String {
      var lines = [
        "version \(newestVersion), \(activeVersionCount) active; \(usedSize) of \(fileSize) bytes used"
      ]
      for reader in readers {
        let since = reader.since.map { " since \($0.formatted(.iso8601))" } ?? ""
        lines.append("version \(reader.version): \(reader.owner)\(since)")
      }
      return lines.joined(separator: "\n")
    }
  }

  /// What is known of the realm's file at present. Cost: proportional to the unused pages and the readers.
  public var diagnostics: Diagnostics {
    core.checkThread()
    let file = core.file
    var readers = file.readers.map {
      Diagnostics.Reader(
        version: $0.version, owner: $0.owner ?? "the library",
        since: Date(timeIntervalSince1970: Double($0.since)))
    }
    readers += file.readersOfAllProcesses.filter { $0.process != getpid() }.map {
      Diagnostics.Reader(version: $0.version, owner: "the process \($0.process)", since: nil)
    }
    let size = file.size
    return Diagnostics(
      newestVersion: file.newestVersion, activeVersionCount: Int(file.activeVersionCount),
      fileSize: size.total, usedSize: size.used, readers: readers.sorted { $0.version < $1.version })
  }
}
