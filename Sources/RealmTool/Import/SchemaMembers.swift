/// What the objects of a schema in JSON may have: a misspelt member must not be taken for one that is not there.
enum SchemaMembers {
  struct Known {
    let names: [String]
    /// The members that are true or false.
    let flags: [String]
  }

  static let ofSchema = Known(names: ["schemaVersion", "classes"], flags: [])
  static let ofClass = Known(names: ["name", "embedded", "properties", "indexes"], flags: ["embedded"])
  static let ofProperty = Known(
    names: [
      "name", "columnName", "type", "class", "collection", "optional", "primaryKey", "indexed", "fullText",
      "autoIncrement", "unique", "onDelete", "originProperty",
    ], flags: ["optional", "primaryKey", "indexed", "fullText", "autoIncrement", "unique"])
  static let ofIndex = Known(names: ["kind", "properties"], flags: [])

  static func check(_ value: JSONValue, _ known: Known, _ wrong: (String) -> ToolError) throws {
    for member in value.members ?? [] {
      if !known.names.contains(member.name) {
        throw wrong(
          "the member '\(member.name)' means nothing there"
            + Spelling.suggestion(for: member.name, among: known.names, after: ","))
      }
      if case .bool = member.value { continue }
      if known.flags.contains(member.name) {
        throw wrong("the member '\(member.name)' is \(member.value.shown), and neither true nor false")
      }
    }
  }
}
