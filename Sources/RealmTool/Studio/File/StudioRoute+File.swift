import Dispatch
import Foundation
import LibC
import RealmSwift
import Storage

extension StudioRoute {
  /// The routes about the file as a whole, which do not change it.
  static let file = [
    StudioRoute(.get, "file") { _, session in
      .json(try await session.run { try FileDescription(session, $0.realm.storedVersion).json })
    },
    StudioRoute(.get, "swift") { request, session in
      .json(try await session.run { try swift(request.query["class"], $0.realm.storedVersion) })
    },
    StudioRoute(.get, "events") { _, session in .events(session.clients.add()) },
    StudioRoute(.get, "storage") { _, session in
      let diagnostics = try await session.run { $0.realm.diagnostics }
      return .json(
        try await session.runBeside { try StorageDescription(session, diagnostics, $0.snapshot).json })
    },
    StudioRoute(.post, "verify") { _, session in
      let number = try session.clients.jobs.start(session.clients) { try await verify(session, $0) }
      return .json(Array("{\"job\":\(number)}".utf8))
    },
  ]

  private static func swift(_ name: String?, _ snapshot: Snapshot) throws -> [UInt8] {
    let classes =
      try name.map { [try ClassReader.requested($0, in: snapshot)] } ?? ClassReader.all(in: snapshot)
    var bytes = Array("{\"text\":".utf8)
    bytes.appendJSON(SchemaText(snapshot.catalogue, classes.map(\.description)).swift)
    return bytes + Array("}".utf8)
  }

  private static func verify(
    _ session: StudioSession, _ update: WorkProgress.Update
  ) async throws -> StudioJobs.Outcome {
    let found = try await onThread {
      try RealmFile.explaining(session.path) {
        try WorkProgress.$update.withValue(update) {
          try Realm.verify(
            at: URL(fileURLWithPath: session.path), encryptionKey: session.key.map { Data($0) })
        }
      }
    }
    let summary = "\(Numbers.count(found.objectCount, "object")), \(Numbers.bytes(found.size))"
    if found.isSound { return .init(isSound: true, text: "Sound: \(summary).") }
    let advice = "Copy what is sound to a new file with: realm salvage '\(session.path)' NEW"
    let lines = ["Damaged: \(summary)."] + FaultLines(found.faults).lines.map { "- \($0)" } + [advice]
    return .init(isSound: false, text: lines.joined(separator: "\n"))
  }

  /// The route that rewrites the file.
  static let compacting = [
    StudioRoute(.post, "compact") { _, session in
      let number = try session.clients.jobs.start(session.clients) { try await compact(session, $0) }
      return .json(Array("{\"job\":\(number)}".utf8))
    }
  ]

  /// Runs a body that takes long on a thread that no other task waits for.
  private static func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  private static func compact(
    _ session: StudioSession, _ update: WorkProgress.Update
  ) async throws -> StudioJobs.Outcome {
    // Compaction waits for the writer lock while the session cannot answer.
    try await session.runWriting { _, _ in }
    let before = size(session.path)
    let isDone = try await session.runClosed {
      try RealmFile.explaining(session.path) {
        try WorkProgress.$update.withValue(update) {
          try Realm.compact(
            at: URL(fileURLWithPath: session.path), encryptionKey: session.key.map { Data($0) })
        }
      }
    }
    guard isDone else {
      return .init(
        isSound: false,
        text: "The file is open in another process and was not changed: end the programs that have it open.")
    }
    let sizes = "from \(Numbers.bytes(before)) to \(Numbers.bytes(size(session.path)))"
    return .init(isSound: true, text: "Compacted \(sizes).")
  }

  /// Returns the size of a file in bytes, 0 when it does not exist.
  static func size(_ path: String) -> Int {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : 0
  }
}
