import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// A session of Studio whose routes are called without a server.
struct StudioReader {
  let session: StudioSession

  init(_ path: String, key: [UInt8]? = nil) throws {
    session = try StudioSession(path: path, key: key, isWritable: false)
  }

  /// - Parameter path: The parts of the path, decoded.
  func reply(
    _ method: StudioRequest.Method, _ path: [String], _ query: [String: String] = [:], body: String = ""
  ) async throws -> StudioReply {
    for route in StudioRoute.reading where route.method == method {
      guard let arguments = route.arguments(path) else { continue }
      return try await route.answer(
        StudioRequest(method, arguments: arguments, query: query, body: Array(body.utf8)), session)
    }
    throw StudioFault(404, "There is no such route.")
  }

  func get(_ path: String..., query: [String: String] = [:]) async throws -> JSON {
    try JSON(try await reply(.get, path, query))
  }

  /// Opens a view, and returns the answer.
  func view(_ className: String, _ filter: String = "", sort: [[Any]] = []) async throws -> JSON {
    let body = try JSONSerialization.data(
      withJSONObject: ["class": className, "filter": filter, "sort": sort])
    return try JSON(try await reply(.post, ["view"], body: String(decoding: body, as: UTF8.self)))
  }

  func rows(
    _ view: JSON, from: Int = 0, count: Int = 200, columns: String? = nil
  ) async throws -> JSON {
    var query = ["from": String(from), "count": String(count)]
    query["columns"] = columns
    return try JSON(try await reply(.get, ["view", "\(view["view"].int)", "rows"], query))
  }

  /// The status and the answer of a refusal.
  func fault(
    _ body: () async throws -> some Any
  ) async throws -> (status: Int, message: String, details: JSON) {
    do {
      _ = try await body()
    } catch let fault as StudioFault {
      return (fault.status, fault.message, try JSON(Array("{\(fault.details)}".utf8)))
    }
    Issue.record("The request was not refused.")
    return (0, "", .null)
  }
}

/// A document as Foundation reads it.
struct JSON: Equatable, CustomStringConvertible, @unchecked Sendable {
  // Never changed.
  private let value: NSObject

  static let null = JSON(value: NSNull())

  private init(value: Any) { self.value = value as? NSObject ?? NSNull() }

  init(_ bytes: [UInt8]) throws {
    self.init(value: try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
  }

  init(_ text: String) throws { try self.init(Array(text.utf8)) }

  init(_ reply: StudioReply) throws {
    guard case .json(let bytes) = reply else { throw StudioFault(500, "The reply is not JSON.") }
    try self.init(bytes)
  }

  subscript(name: String) -> JSON { JSON(value: (value as? [String: Any])?[name] ?? NSNull()) }
  subscript(index: Int) -> JSON {
    guard let elements = value as? [Any], elements.indices.contains(index) else { return .null }
    return JSON(value: elements[index])
  }
  var int: Int { (value as? NSNumber)?.intValue ?? -1 }
  var text: String { value as? String ?? "" }
  var array: [JSON] { (value as? [Any] ?? []).map { JSON(value: $0) } }
  var isNull: Bool { value is NSNull }
  var description: String { "\(value)" }

  static func == (first: JSON, second: JSON) -> Bool { first.value.isEqual(second.value) }
}

/// The events of a session, one after the other.
final class EventReader {
  private let events: StudioEvents
  private var unread: [(name: String, data: JSON)] = []

  init(_ reader: StudioReader) { events = reader.session.clients.add() }

  deinit { events.close() }

  /// Returns the next event of a name. Events of other names stay for later calls.
  func next(_ name: String) async throws -> JSON {
    while true {
      if let place = unread.firstIndex(where: { $0.name == name }) { return unread.remove(at: place).data }
      let bytes: [UInt8] = await withCheckedContinuation { continuation in
        let bytes = events.take { continuation.resume(returning: []) }
        if !bytes.isEmpty { continuation.resume(returning: bytes) }
      }
      for block in String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n") where !block.isEmpty
      {
        let lines = block.components(separatedBy: "\n")
        unread.append(
          (String(lines[0].dropFirst("event: ".count)), try JSON(String(lines[1].dropFirst("data: ".count)))))
      }
    }
  }
}
