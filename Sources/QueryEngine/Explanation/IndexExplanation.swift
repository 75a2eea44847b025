import Storage

extension PredicateExplanation {
  /// The properties of an index, in brackets when there are several.
  func text(_ index: TableIndex, _ table: Table) -> String {
    let names = index.columns.map { name(table.number, $0) }.joined(separator: ", ")
    return index.isCompound ? "(\(names))" : names
  }

  /// Which parts of an index are read: `age >= 3 or age == NULL`, `(city, age): city == "Rome" and age > 3`.
  func text(_ lookup: IndexLookup, _ table: Table) -> String {
    var index: TableIndex?
    let parts = lookup.entries.prefix(3).map { entry in
      defer { index = entry.index }
      let name = entry.index.isCompound && entry.index != index ? text(entry.index, table) + ": " : ""
      return name + text(entry, table)
    }
    let more = lookup.entries.count - parts.count
    if parts.isEmpty { return "nothing" }
    return parts.joined(separator: " or ") + (more > 0 ? " or \(more.grouped) more ranges" : "")
  }

  /// What is said of the columns of an index, which are all of them when nothing is said.
  private func text(_ entry: IndexLookup.Entry, _ table: Table) -> String {
    let ranges = entry.index.isCompound ? entry.parts : [entry.range]
    return zip(entry.index.columns, ranges).map { column, range in
      range.text(of: name(table.number, column), catalogue.tables[table.number].columns[column].type)
    }.joined(separator: " and ")
  }
}

extension IndexRange {
  fileprivate func text(of name: String, _ type: ValueType) -> String {
    switch (lower, upper) {
    case (nil, nil): return name + " in order"
    case (let lower?, let upper?) where lower == upper: return name + " == " + lower.text(type)
    default:
      var parts: [String] = []
      if let lower, lower != .null, lower != IndexKey(Double.nan) {
        parts.append((includesLower ? ">= " : "> ") + lower.text(type))
      }
      if let upper { parts.append((includesUpper ? "<= " : "< ") + upper.text(type)) }
      return name + " " + (parts.isEmpty ? "not null" : parts.joined(separator: " and "))
    }
  }
}

extension IndexKey {
  /// What the key stands for in a column.
  fileprivate func text(_ type: ValueType) -> String {
    switch (self, type) {
    case (.null, _): return "NULL"
    case (.integer(let key), .bool): return key == 0 ? "false" : "true"
    case (.integer(let key), .float), (.integer(let key), .double), (.integer(let key), .date):
      let number = Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
      return (type == .date ? Value.date(number) : Value.double(number)).text
    case (.integer(let key), _): return "\(Int64(bitPattern: key ^ 1 << 63))"
    case (.bytes(let bytes), .string): return Value.string(String(decoding: bytes, as: UTF8.self)).text
    case (.bytes, _): return "a value"
    }
  }
}
