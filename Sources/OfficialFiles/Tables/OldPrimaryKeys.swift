extension [OfficialTable] {
  /// Before format 10 a table has the names of the classes' primary keys.
  func findPrimaryKeys() throws {
    guard let table = first(where: { $0.name == "pk" }), let classes = table.strings("pk_table"),
      let properties = table.strings("pk_property")
    else { return }
    var keys: [String: String] = [:]
    try table.forEachBlock { block in
      var names: [String] = []
      try block.forEachValue(ofProperty: classes) { names.append($1.text) }
      try block.forEachValue(ofProperty: properties) { row, value in
        // A class that is listed twice cannot have different keys.
        if keys[names[row]] == nil { keys[names[row]] = value.text }
      }
    }
    for table in self {
      if let name = table.className, let key = keys[name] { table.setPrimaryKey(key) }
    }
  }
}

extension OfficialTable {
  /// The number of a property that has strings.
  fileprivate func strings(_ name: String) -> Int? {
    properties.firstIndex { $0.name == name && $0.type == .string && $0.collection == nil }
  }
}

extension OfficialValue {
  fileprivate var text: String { if case .string(let bytes) = self { bytes.string } else { "" } }
}
