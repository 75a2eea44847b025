public import Foundation
import Storage
import SwiftRuntime

extension Realm {
  /// What is known of a realm's file: its size, and who keeps versions of it from being overwritten.
  ///
  ///     for reader in realm.diagnostics.readers { print(reader.version, reader.owner) }
  ///
  /// The file grows as long as an old version is in use: what later versions no longer need can only be overwritten
  /// when no older version needs it. A live realm uses the version that it shows, a frozen one that which it was made
  /// of. Realms that can follow the writes of others do not keep old versions; one on a thread without a run loop
  /// does until it is refreshed, invalidated or closed. A `ThreadSafeReference` keeps its version until it is
  /// resolved or released, `@ThreadSafe` until it is read anew.
  ///
  /// A commit logs this as a warning (see ``Logger``) when the file has become larger by half, and by 16 MB at least, since
  /// this process opened it or last warned, and at least half of that is kept by versions before the newest one.
  public struct Diagnostics: Sendable, CustomStringConvertible {
    /// Somebody who uses a version.
    public struct Reader: Sendable {
      /// The version's number.
      public let version: UInt64
      /// The thread, queue or actor of the realm, "a frozen Realm", "a ThreadSafeReference", "the process 123", or
      /// "a process of another container", whose number this process cannot know.
      public let owner: String
      /// Since when it is used, to the second; nil for other processes.
      public let since: Date?
      /// The module and file in which the realm was opened, for example "Kennel/Dogs.swift"; nil for other processes
      /// and when the library opened it by itself.
      ///
      /// A realm is opened once for each thread, queue or actor: later calls there get the same one, and the place
      /// of the first counts. What was frozen from a realm, refers to it, or was opened in order to observe on
      /// another queue or actor, has the place of that realm.
      public let file: String?
      /// The line of the file.
      public let line: Int?

      init(version: UInt64, owner: String, since: Date? = nil, location: CodeLocation? = nil) {
        self.version = version
        self.owner = owner
        self.since = since
        file = location.map { "\($0.file)" }
        line = location.map { Int($0.line) }
      }
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
    /// The bytes of an encrypted file's values that are decrypted in memory at present; 0 for a file that is not
    /// encrypted.
    public let decryptedSize: Int
    /// All who use a version, the oldest version first.
    public let readers: [Reader]
    /// The facts about Swift's runtime that make the library fast and do not hold with the toolchain of this program, for
    /// example "classMetadata". Empty with the supported toolchains; each one that is listed makes something slower.
    public let missingRuntimeFacts: [String]

    /// A line for the file, one for each reader, and one for missing runtime facts.
    public var description: String {
      var lines = [
        "version \(newestVersion), \(activeVersionCount) active; \(usedSize) of \(fileSize) bytes used"
      ]
      for reader in readers {
        let since = reader.since.map { " since \($0.formatted(.iso8601))" } ?? ""
        let place =
          if let file = reader.file, let line = reader.line { ", opened at \(file):\(line)" } else { "" }
        lines.append("version \(reader.version): \(reader.owner)\(since)\(place)")
      }
      if !missingRuntimeFacts.isEmpty {
        lines.append("not known of this Swift runtime: \(missingRuntimeFacts.joined(separator: ", "))")
      }
      return lines.joined(separator: "\n")
    }
  }

  /// What is known of the realm's file at present. Cost: proportional to the unused pages and the readers.
  public var diagnostics: Diagnostics {
    core.checkThread()
    let file = core.file
    var readers = file.readers.map { reader in
      let owner = reader.owner
      return Diagnostics.Reader(
        version: reader.version, owner: owner?.name ?? "the library",
        since: Date(timeIntervalSince1970: Double(reader.since)), location: owner?.location)
    }
    readers += file.readersOfAllProcesses.filter { !$0.isOwn }.map {
      Diagnostics.Reader(
        version: $0.version,
        owner: $0.process.map { "the process \($0)" } ?? "a process of another container")
    }
    let size = file.size
    return Diagnostics(
      newestVersion: file.newestVersion, activeVersionCount: Int(file.activeVersionCount),
      fileSize: size.total, usedSize: size.used, decryptedSize: file.decryptedSize,
      readers: readers.sorted { $0.version < $1.version },
      missingRuntimeFacts: RuntimeFact.missing.map(\.rawValue))
  }
}
