import Storage

/// Looks up the properties of a key path that objects are sorted or grouped by.
struct SortKeyPath {
  let text: String
  let catalogue: Catalogue
  let lookup: PropertyLookup
  /// Whether the path is one to group by. Groups may have data in common, which nothing is sorted by.
  var isGrouping = false

  private func error(_ reason: String) -> PredicateError {
    isGrouping
      ? PredicateError("Invalid group key path", "Cannot group by key path '\(text)': \(reason)")
      : PredicateError("Invalid sort key path", "Cannot sort on key path '\(text)': \(reason)")
  }

  func resolve(table: Int) throws -> PropertySource {
    if text.contains("@") { return try aggregate(table: table) }
    var links: [PropertySource.Link] = []
    var table = table
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for (position, name) in names.enumerated() {
      let isLast = position == names.count - 1
      if name.isEmpty { throw error("missing property name.") }
      let (property, key) = Self.subscripted(name)
      let className = catalogue.tables[table].name
      guard let reference = lookup(table, property) else {
        throw error("property '\(className).\(property)' does not exist.").missing(property, of: className)
      }
      guard case .column(let column) = reference else {
        throw error(
          "property '\(className).\(property)' of type 'linking objects' cannot be the final property in the key path."
        )
      }
      let description = catalogue.tables[table].columns[column]
      if isLast {
        return PropertySource(
          links: links, source: try scalar(column, description, key, "\(className).\(property)"))
      }
      guard description.type == .link, description.collection == .none, key == nil else {
        throw error(
          "property '\(className).\(property)' of type '\(description.typeName)' may only be the final property in the key path."
        )
      }
      links.append(PropertySource.Link(column: column, target: description.target))
      table = description.target
    }
    throw error("missing property name.")
  }

  /// The number of elements of a collection, or another aggregate of it, as predicates name it. Nothing is grouped by one.
  private func aggregate(table: Int) throws -> PropertySource {
    let unsupported = error("KVC collection operators are not supported.")
    let path = try PropertyPath(parsing: text)
    guard case .property? = path.components.first, !isGrouping else { throw unsupported }
    let found = try PathResolver(catalogue: catalogue, lookup: lookup).resolve(path, table: table)
    guard found.isAggregate, let source = found.propertySource else { throw unsupported }
    return source
  }

  private func scalar(
    _ column: Int, _ description: Column, _ key: String?, _ name: String
  ) throws -> ScalarSource {
    if description.collection == .map {
      guard let key else { throw error("missing dictionary key.") }
      return .mapValue(column: column, key: key, description.type)
    }
    if description.collection != .none || description.type == .link {
      throw error(
        "property '\(name)' of type '\(description.typeName)' cannot be the final property in the key path.")
    }
    if description.type == .data && !isGrouping {
      throw error("property '\(name)' is of unsupported type 'data'.")
    }
    return .column(column, description.type)
  }

  /// A name, and what stands in square brackets behind it, quotes removed.
  private static func subscripted(_ name: String) -> (String, String?) {
    guard name.last == "]", let open = name.firstIndex(of: "[") else { return (name, nil) }
    var key = name[name.index(after: open)..<name.index(before: name.endIndex)]
    if key.count >= 2, let quote = key.first, quote == "'" || quote == "\"", key.last == quote {
      key = key.dropFirst().dropLast()
    }
    return (String(name[..<open]), String(key))
  }
}

extension Column {
  /// The type's name in messages, with the collection around it.
  var typeName: String {
    switch collection {
    case .none: type.name
    case .list: "array<\(type.name)>"
    case .set: "set<\(type.name)>"
    case .map: "dictionary<string, \(type.name)>"
    }
  }
}
