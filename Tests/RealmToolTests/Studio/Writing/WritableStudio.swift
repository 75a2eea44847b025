import Foundation
import RealmSwift
import Storage
import TestSupport

@testable import RealmTool

/// A file with every type of property and every rule, open in a session of Studio, and the routes that write to it.
final class WritableStudio: Sendable {
  let folder: ScratchFolder
  let path: String
  let session: StudioSession
  private let routes: [StudioRoute]

  init(
    classes: [DescribedClass] = WritableStudio.classes, key: [UInt8]? = nil,
    history: UndoHistory = UndoHistory(), writerLimit: Double = 60
  ) throws {
    routes = StudioRoute.writing(history)
    folder = ScratchFolder()
    path = folder.path("studio.realm")
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), encryptionKey: key.map { Data($0) }, schema: .classes(classes))
    _ = try Realm(configuration: configuration)
    session = try StudioSession(path: path, key: key, isWritable: true, writerLimit: writerLimit)
  }

  // MARK: Requests

  /// Sends a request through the routes as the server does.
  func send(_ method: StudioRequest.Method, _ path: String, _ body: String = "") async throws -> Answer {
    let parts = path.split(separator: "/").map { $0.removingPercentEncoding! }
    for route in routes where route.method == method {
      guard let arguments = route.arguments(parts) else { continue }
      do {
        let request = StudioRequest(method, arguments: arguments, body: Array(body.utf8))
        guard case .json(let bytes) = try await route.answer(request, session) else { return Answer(500, "") }
        return Answer(200, String(decoding: bytes, as: UTF8.self))
      } catch let fault as StudioFault {
        let details = fault.details.isEmpty ? "" : "," + fault.details
        var text = Array("{\"message\":".utf8)
        text.appendJSON(fault.message)
        return Answer(fault.status, String(decoding: text, as: UTF8.self) + details + "}")
      }
    }
    return Answer(404, "{}")
  }

  /// Sends a batch with operations as JSON, without the brackets.
  @discardableResult
  func batch(_ operations: String, label: String = "Edit") async throws -> Answer {
    try await send(.post, "batch", "{\"label\":\"\(label)\",\"operations\":[\(operations)]}")
  }

  @discardableResult func undo() async throws -> Answer { try await send(.post, "undo") }
  @discardableResult func redo() async throws -> Answer { try await send(.post, "redo") }

  struct Answer {
    let status: Int
    let json: [String: Any]
    let text: String

    init(_ status: Int, _ text: String) {
      self.status = status
      self.text = text
      json = (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
    }

    var message: String { json["message"] as? String ?? "" }
    /// The row of the object that was created as the given one.
    func row(_ index: Int = 0) -> Int {
      let created = json["created"] as? [[Any]] ?? []
      return created.indices.contains(index) ? created[index][1] as? Int ?? -1 : -1
    }
    var conflicts: [[String: Any]] { json["conflicts"] as? [[String: Any]] ?? [] }
  }

  // MARK: Content

  /// The number of a property.
  func property(_ name: String, of className: String = "Everything") async throws -> Int {
    try await session.run { realm in
      let catalogue = realm.realm.storedVersion.catalogue
      return catalogue.tables[catalogue.table(named: className)!].column(named: name)!
    }
  }

  /// The numbers of the properties of a class by their names.
  func properties(of className: String = "Everything") async throws -> [String: Int] {
    try await session.run { realm in
      let reader = try ClassReader.named(className, in: realm.realm.storedVersion, path: "")
      return Dictionary(uniqueKeysWithValues: reader.columns.map { (reader.column($0).name, $0) })
    }
  }

  /// What a property has, as `realm export` writes it.
  func value(_ row: Int, _ name: String, of className: String = "Everything") async throws -> String {
    if row < 0 { return "no object" }
    return try await session.run { realm in
      let reader = try ClassReader.named(className, in: realm.realm.storedVersion, path: "")
      let column = try reader.column(named: name)
      var bytes: [UInt8] = []
      try JSONText(reader.snapshot, sortsSets: true)
        .append(row, column, reader.column(column), reader.table, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// All objects of classes with keys, sorted, as `realm export` writes them.
  func content() async throws -> String {
    try await session.run { realm in
      var lines: [String] = []
      for reader in ClassReader.all(in: realm.realm.storedVersion) where !reader.isEmbedded {
        try reader.forEachRow { row in
          var bytes = Array("\(reader.name) ".utf8)
          try JSONText(reader.snapshot, sortsSets: true)
            .append(row, of: reader, columns: reader.columns, to: &bytes)
          lines.append(String(decoding: bytes, as: UTF8.self))
        }
      }
      return lines.sorted().joined(separator: "\n")
    }
  }

  /// Number of objects of a class.
  func count(_ className: String) async throws -> Int {
    try await session.run { realm in
      try ClassReader.named(className, in: realm.realm.storedVersion, path: "").count
    }
  }

  /// Checks that the file, with all its indexes and backlinks, is sound.
  func faults() throws -> String {
    let outcome = try RealmProgram.run("verify", path)
    return outcome.status == 0 ? "" : outcome.output + outcome.error
  }
}
