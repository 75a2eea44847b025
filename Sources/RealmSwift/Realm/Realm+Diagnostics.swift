public import Foundation
import Storage
import SwiftRuntime

extension Realm {
  /// The state of a realm's file: its size, and the readers that keep old versions from being overwritten.
  ///
  /// ```swift
  /// for reader in realm.diagnostics.readers { print(reader.version, reader.owner) }
  /// ```
  ///
  /// The file grows while an old version is in use: pages that later versions no longer need can only be
  /// overwritten when no older version needs them. A live realm uses the version that it shows, a frozen
  /// realm the version that it was frozen at. A realm that refreshes automatically does not keep old
  /// versions. A realm on a thread without a run loop keeps its version until it is refreshed, invalidated or
  /// closed. A `ThreadSafeReference` keeps its version until it is resolved or released, `@ThreadSafe` until
  /// it is read again.
  ///
  /// A commit logs a warning (see ``Logger``) if the file has grown by half, and by at least 16 MB, since
  /// this process opened it or last warned, and if versions before the newest one keep at least half of that
  /// growth.
  public struct Diagnostics: Sendable, CustomStringConvertible {
    /// A realm, reference or process that uses a version.
    public struct Reader: Sendable {
      /// The number of the version.
      public let version: UInt64
      /// The thread, queue or actor of the realm, "a frozen Realm", "a ThreadSafeReference", "the process
      /// 123", or "a process of another container", whose number is unknown to this process.
      public let owner: String
      /// The time since which the version is used, to the second; nil for other processes.
      public let since: Date?
      /// The module and file in which the realm was opened, for example "HutBook/Huts.swift"; nil for other
      /// processes and for realms that the library opened itself.
      ///
      /// A realm is opened once for each thread, queue or actor: later calls there return the same realm, and
      /// the place of the first call counts. Frozen realms, references, and realms that were opened to
      /// observe on another queue or actor have the place of the realm that they were created from.
      public let file: String?
      /// The line in the file.
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
    /// The size of the file, in bytes.
    public let fileSize: Int
    /// The size of what the newest version or a version in use has in the file, in bytes, as of the last search for free space. Of a
    /// realm that is read-only: what the newest version has.
    public let usedSize: Int
    /// The size of the values of an encrypted file that are currently decrypted in memory, in bytes; 0 for a
    /// file that is not encrypted.
    public let decryptedSize: Int
    /// The readers of all versions, oldest version first.
    public let readers: [Reader]
    /// The facts about Swift's runtime that make the library fast and do not hold with the toolchain of this program, for
    /// example "classMetadata". Empty with the supported toolchains; each one that is listed makes something slower.
    public let missingRuntimeFacts: [String]

    /// The description: a line for the file, a line for each reader, and a line for missing runtime facts.
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

  /// The current state of the realm's file. Cost: proportional to the number of unused pages and readers.
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
