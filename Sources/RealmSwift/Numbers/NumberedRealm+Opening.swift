import Storage

extension NumberedRealm {
  /// Opens a realm for the calling thread.
  ///
  /// Unlike realms of Swift programs it is not kept until the turn of a run loop ends: it is closed when the last reference
  /// is released.
  package static func open(_ configuration: NumberedConfiguration) throws -> NumberedRealm {
    try configuration.check()
    let core = try Opening.open(configuration.configuration, at: .current, from: nil)
    return NumberedRealm(Realm(core))
  }

  /// The configuration that the realm was opened with, with its classes filled in.
  package var configuration: NumberedConfiguration { NumberedConfiguration(core.configuration) }

  /// Whether both are handles of the same realm.
  package func isSame(as other: NumberedRealm) -> Bool { core === other.core }

  // MARK: Classes and properties

  /// Returns the number of a class.
  package func classNumber(_ name: String) throws(Refusal) -> Int {
    try check()
    guard let number = core.snapshot.catalogue.table(named: name) else {
      throw Refusal(.noSuchClass, "The Realm has no class '\(name)'.")
    }
    return number
  }

  package func nameOfClass(_ number: Int) throws(Refusal) -> String {
    try description(ofClass: number).name
  }

  private func description(ofClass number: Int) throws(Refusal) -> TableDescription {
    try check()
    let tables = core.snapshot.catalogue.tables
    guard tables.indices.contains(number), !tables[number].isRemoved else {
      throw Refusal(.noSuchClass, "The Realm has no class with the number \(number).")
    }
    return tables[number]
  }

  /// Returns the number of a property, by its name in the program.
  package func propertyNumber(_ name: String, ofClass number: Int) throws(Refusal) -> Int {
    let description = try description(ofClass: number)
    let known = core.dynamicClassTable(number)
    guard let index = known.schema.index(of: name), known.columns[index] >= 0 else {
      throw Refusal(
        .noSuchProperty,
        "Invalid property name: property '\(name)' not found in object of type '\(description.name)'")
    }
    return known.columns[index]
  }

  /// Returns the number of the class that the links of a property point to; nil if they are no links.
  package func targetClass(ofClass number: Int, property: Int) throws(Refusal) -> Int? {
    let description = try description(ofClass: number)
    guard description.columns.indices.contains(property), !description.columns[property].isRemoved else {
      throw Refusal(
        .noSuchProperty, "Class '\(description.name)' has no property with the number \(property).")
    }
    let column = description.columns[property]
    return column.type == .link ? column.target : nil
  }
}
