import Storage

/// An index over several properties that a class is to get.
struct PlannedIndex {
  private let kind: CompoundIndex.Kind
  private let properties: [String]

  static let kinds: [(CompoundIndex.Kind, String)] = [
    (.plain, "plain"), (.unique, "unique"), (.primaryKey, "primaryKey"),
  ]

  static func name(_ kind: CompoundIndex.Kind) -> String { kinds.first { $0.0 == kind }!.1 }

  /// Reads the indexes of a class in JSON.
  ///
  /// - Parameter columnNames: What properties are called in the file, where that is another name.
  static func all(
    _ value: JSONValue?, _ columnNames: [ExactText: String?], _ wrong: (String) -> ToolError
  ) throws -> [PlannedIndex] {
    switch value {
    case nil, .null?: return []
    case .array(let values)?:
      return try values.filter { $0["kind"] != .string("none") }.map { value in
        let index = try PlannedIndex(value, wrong)
        return PlannedIndex(index.kind, index.properties.map { (columnNames[ExactText($0)] ?? nil) ?? $0 })
      }
    default: throw wrong("its member 'indexes' is no array")
    }
  }

  init(_ kind: CompoundIndex.Kind, _ properties: [String]) {
    self.kind = kind
    self.properties = properties
  }

  private init(_ value: JSONValue, _ wrong: (String) -> ToolError) throws {
    guard case .array(let names)? = value["properties"] else {
      throw wrong("an index has no array 'properties'")
    }
    try SchemaMembers.check(value, SchemaMembers.ofIndex) { wrong("an index: \($0)") }
    properties = try names.map { name in
      guard case .string(let name) = name else {
        throw wrong("an index is over \(name.shown), which is no name")
      }
      return name
    }
    switch value["kind"] {
    case nil: kind = .plain
    case .string(let name)? where Self.kinds.contains { $0.1 == name }:
      kind = Self.kinds.first { $0.1 == name }!.0
    case let other?:
      throw wrong(
        "the kind of an index, \(other.shown), is none of \(Self.kinds.map(\.1).joined(separator: ", "))")
    }
  }

  /// The index over the columns of a class.
  func index(_ number: Int, _ className: String, _ columns: [Column]) throws -> CompoundIndex {
    let places = try properties.map { name in
      guard let place = columns.firstIndex(where: { $0.name == name && !$0.isRemoved }) else {
        throw ToolError(
          "An index of class '\(className)' is over the property '\(name)', which the class does not have.")
      }
      return place
    }
    return CompoundIndex(number: number, kind: kind, columns: places)
  }

  /// The index in messages.
  var text: String { Self.text(kind, properties) }

  static func text(_ kind: CompoundIndex.Kind, _ properties: [String]) -> String {
    let name =
      switch kind {
      case .plain: "index"
      case .unique: "unique index"
      case .primaryKey: "primary key"
      }
    return "\(name) over \(properties.joined(separator: ", "))"
  }
}
