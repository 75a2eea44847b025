import Storage

extension NumberedRealm {
  /// Opens a realm for the calling thread.
  ///
  /// Unlike realms of Swift programs it is not kept until the turn of a run loop ends: it is closed when the last reference
  /// is released.
  package static func open(_ configuration: NumberedConfiguration) throws -> NumberedRealm {
    try configuration.check()
    let core = try FilesInUse.using(configuration.configuration.path) {
      try Opening.open(configuration.configuration, at: .current, from: nil)
    }
    try checkClasses(of: core, configuration.configuration)
    return NumberedRealm(Realm(core))
  }

  /// Throws when the thread has the file open with other classes: it would be given that realm, whose classes do not have
  /// the properties that it asks for, and whose file was not migrated.
  private static func checkClasses(of core: RealmCore, _ asked: Realm.Configuration) throws(Refusal) {
    if asked.hasSchemaOfFile { return }
    let known = core.configuration
    let classes =
      known.hasSchemaOfFile ? ModelClasses(core.snapshot.catalogue).schemas : known.classes?.schemas ?? []
    // It may have more classes.
    let hasClasses =
      asked.classes?.schemas.allSatisfy { schema in
        classes.contains { $0.className == schema.className && $0.isAlike(schema) }
      } ?? true
    let difference =
      known.schemaVersion != asked.schemaVersion && !known.hasSchemaOfFile
      ? "schema version" : hasClasses ? nil : "classes"
    guard let difference else { return }
    throw Refusal(
      .alreadyOpen, RealmCache.conflict(asked, difference).localizedDescription, path: asked.path)
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
    _ = try checkedClass(number)
    return className(number)
  }

  /// Returns the number of a property, by its name in the program.
  package func propertyNumber(_ name: String, ofClass number: Int) throws(Refusal) -> Int {
    _ = try checkedClass(number)
    let known = core.dynamicClassTable(number)
    guard let index = known.schema.index(of: name), known.columns[index] >= 0 else {
      throw Refusal(
        .noSuchProperty,
        "Invalid property name: property '\(name)' not found in object of type '\(className(number))'")
    }
    return known.columns[index]
  }

  /// Returns the number of the class that the links of a property point to; nil if they are no links.
  package func targetClass(ofClass number: Int, property: Int) throws(Refusal) -> Int? {
    let target = try checkedColumn(number, property).target
    return target < 0 ? nil : Int(target)
  }
}
