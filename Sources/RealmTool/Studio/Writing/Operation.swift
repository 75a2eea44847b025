import RealmSwift

/// One change that the page wants, as it is written in the request.
struct Operation: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case set, create, delete, insert, replace, remove, move, put, removeKey, add, discard, embed
  }

  let kind: Kind
  let className: String
  /// The members of the request.
  private let content: JSONValue
  /// Where the operation is in its batch.
  let index: Int

  /// - Throws: `StudioFault` with status 400 when the value is not an operation.
  init(_ value: JSONValue, at index: Int) throws(StudioFault) {
    guard case .object = value, let name = value["op"]?.text, let kind = Kind(rawValue: name) else {
      let names = Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw StudioFault(
        400, "Operation \(index) is not valid: 'op' is one of \(names).", details: "\"operation\":\(index)")
    }
    guard let className = value["class"]?.text else {
      throw StudioFault(400, "Operation \(index) has no 'class'.", details: "\"operation\":\(index)")
    }
    (self.kind, self.className, self.index, content) = (kind, className, index, value)
  }

  /// A batch: its label and its operations.
  static func batch(_ document: JSONValue) throws(StudioFault) -> (label: String, operations: [Operation]) {
    guard case .array(let values)? = document["operations"] else {
      throw StudioFault(400, "The request has no array 'operations'.")
    }
    var operations: [Operation] = []
    for (index, value) in values.enumerated() { operations.append(try Operation(value, at: index)) }
    return (document["label"]?.text ?? "Edit", operations)
  }

  // MARK: Members

  func row() throws(StudioFault) -> Int { try number("row") }

  func property() throws(StudioFault) -> Int { try number("property") }

  func number(_ name: String) throws(StudioFault) -> Int {
    guard case .int(let number)? = content[name] else { throw missing("number", name) }
    return Int(number)
  }

  func optionalNumber(_ name: String) throws(StudioFault) -> Int? {
    content[name] == nil ? nil : try number(name)
  }

  func key() throws(StudioFault) -> String {
    guard let key = content["key"]?.text else { throw missing("text", "key") }
    return key
  }

  func value() throws(StudioFault) -> JSONValue {
    guard let value = content["value"] else { throw missing("value", "value") }
    return value
  }

  /// What the page takes for the present value; nil when it does not matter.
  var expected: JSONValue? { content["expected"] }

  /// The properties of a new object.
  func values() throws(StudioFault) -> [(property: Int, value: JSONValue)] {
    guard let given = content["values"] else { return [] }
    guard case .array(let pairs) = given else { throw missing("array of pairs", "values") }
    var values: [(property: Int, value: JSONValue)] = []
    for pair in pairs {
      guard case .array(let parts) = pair, parts.count == 2, case .int(let property) = parts[0] else {
        throw missing("array of pairs", "values")
      }
      values.append((Int(property), parts[1]))
    }
    return values
  }

  /// The way from the value of a property to a list or dictionary inside it; empty for the property's own collection.
  func path() throws(StudioFault) -> [NestedStep] {
    guard let given = content["path"] else { return [] }
    guard let steps = NestedStep.steps(given) else { throw missing("array of positions and keys", "path") }
    return steps
  }

  private func missing(_ kind: String, _ name: String) -> StudioFault {
    StudioFault(
      400, "Operation \(index), '\(self.kind.rawValue)', has no \(kind) '\(name)'.",
      details: "\"operation\":\(index)")
  }
}
