import RealmSwift

/// A request to the server of `realm studio` that has passed the checks of its gate.
struct StudioRequest: Sendable {
  enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  let method: Method
  /// The parts of the path that stand for the variable parts of the route's pattern, decoded.
  let arguments: [String]
  /// The decoded values of the query string by name; the last one where a name occurs more than once.
  let query: [String: String]
  let body: [UInt8]

  init(_ method: Method, arguments: [String] = [], query: [String: String] = [:], body: [UInt8] = []) {
    self.method = method
    self.arguments = arguments
    self.query = query
    self.body = body
  }

  /// Returns the number that a variable part of the path, counted from zero, stands for.
  ///
  /// - Throws: `StudioFault` with status 400 when it is not a number.
  func number(_ index: Int) throws(StudioFault) -> Int {
    guard let number = Int(arguments[index]) else {
      throw StudioFault(400, "'\(arguments[index])' in the path is not a number.")
    }
    return number
  }

  /// Returns the number that a value of the query string stands for, or the default when there is none.
  ///
  /// - Throws: `StudioFault` with status 400 when it is not a number.
  func number(_ name: String, default value: Int) throws(StudioFault) -> Int {
    guard let text = query[name] else { return value }
    guard let number = Int(text) else {
      throw StudioFault(400, "The value '\(text)' of '\(name)' is not a number.")
    }
    return number
  }
  /// Returns the number that a value of the query string stands for.
  ///
  /// - Throws: `StudioFault` with status 400 when it is missing or not a number.
  func number(_ name: String) throws(StudioFault) -> Int {
    if query[name] == nil { throw StudioFault(400, "The value '\(name)' is missing.") }
    return try number(name, default: 0)
  }

  /// Returns the number that a value of the query string stands for; nil when there is none.
  ///
  /// - Throws: `StudioFault` with status 400 when it is not a number.
  func optionalNumber(_ name: String) throws(StudioFault) -> Int? {
    query[name] == nil ? nil : try number(name)
  }

  /// Returns the document in JSON that the body is.
  ///
  /// - Throws: `StudioFault` with status 400 when it is not one.
  func document() throws(StudioFault) -> JSONValue {
    guard let text = String(validating: body, as: UTF8.self) else {
      throw StudioFault(400, "The body of the request is not UTF-8.")
    }
    do {
      return try JSONParser.parse(text)
    } catch {
      let reason = (error as? JSONScanner.Fault)?.message ?? "it ends too early"
      throw StudioFault(400, "The body of the request is not JSON: \(reason).")
    }
  }
}
