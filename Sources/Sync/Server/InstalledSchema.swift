package import Storage

/// The classes and properties that a server has.
package struct InstalledSchema: Sendable, Hashable {
  /// A row of `realm.property`.
  package struct Property: Sendable, Hashable {
    package var className: String
    package var name: String
    /// The position of its stamp; 0 for the key.
    package var number: Int
    package var type: String
    /// The kind of a collection; nil for a property with one value.
    package var collection: CollectionType?
    package var isOptional: Bool
    package var isCounter: Bool
    package var isRouting: Bool
    /// The class that a link, or each link of a collection, leads to.
    package var target: String?

    package init(
      className: String, name: String, number: Int, type: String, isOptional: Bool = false,
      isCounter: Bool = false, isRouting: Bool = false, collection: CollectionType? = nil,
      target: String? = nil
    ) {
      self.className = className
      self.name = name
      self.number = number
      self.type = type
      self.isOptional = isOptional
      self.isCounter = isCounter
      self.isRouting = isRouting
      self.collection = collection
      self.target = target
    }
  }

  /// The name of the schema of the objects.
  package var schema: String
  package var protocolVersion: Int
  /// The numbers of the classes by their names.
  package var classes: [String: Int]
  package var properties: [Property]
  /// The version of the functions and triggers; nil for those of the first databases.
  package var routinesVersion: Int?
  /// What the functions and triggers are known by; nil if they are not as they were made.
  package var routines: String?
  /// The statements that add the columns that the tables of an earlier version lack.
  package var columnAdditions: [String] = []

  package init(schema: String, protocolVersion: Int, classes: [String: Int], properties: [Property]) {
    self.schema = schema
    self.protocolVersion = protocolVersion
    self.classes = classes
    self.properties = properties
  }

  /// Reads what a database has.
  ///
  /// - Parameter hasRoutines: Whether the functions and triggers are read, too, which the owner of the database may do.
  /// - Returns: Nil when nothing has been made for synchronisation.
  package static func read(
    _ connection: PostgresConnection, withRoutines hasRoutines: Bool = true
  ) throws(PostgresError) -> InstalledSchema? {
    guard try connection.run("select to_regclass('realm.server') is not null")[0].boolean(0) == true,
      let server = try connection.run("select schema, protocol from realm.server").first
    else { return nil }
    var result = InstalledSchema(
      schema: server.text(0) ?? "", protocolVersion: Int(try server.integer(1) ?? 0), classes: [:],
      properties: [])
    for row in try connection.run("select name, number from realm.class") {
      result.classes[row.text(0) ?? ""] = Int(try row.integer(1) ?? 0)
    }
    let properties = try connection.run(
      """
      select class, name, number, type, nullable, counter, routing, collection, target
        from realm.property order by class, number
      """)
    for row in properties {
      result.properties.append(
        Property(
          className: row.text(0) ?? "", name: row.text(1) ?? "", number: Int(try row.integer(2) ?? 0),
          type: row.text(3) ?? "", isOptional: row.boolean(4) ?? false, isCounter: row.boolean(5) ?? false,
          isRouting: row.boolean(6) ?? false,
          collection: row.text(7).flatMap { SyncCollection.kind(named: $0) },
          target: row.text(8)))
    }
    if hasRoutines { try result.readRoutines(connection) }
    return result
  }

  private mutating func readRoutines(_ connection: PostgresConnection) throws(PostgresError) {
    let columns = try connection.run(
      """
      select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.oid in ('realm.server'::regclass, 'realm.client'::regclass) and a.attnum > 0 and not a.attisdropped
      """
    ).map { "\($0.text(0) ?? "").\($0.text(1) ?? "")" }
    let missing = ServerSchema.laterColumns.filter { !columns.contains("\($0.table).\($0.name)") }
    columnAdditions = missing.map { "alter table realm.\($0.table) add column \($0.name) \($0.type)" }
    guard missing.allSatisfy({ $0.table != "server" }) else { return }
    let noted = try connection.run("select routines_version, routines from realm.server")[0]
    routinesVersion = try noted.integer(0).map { Int($0) }
    guard
      try connection.run("select to_regprocedure('realm.installed_routines()') is not null")[0].boolean(0)
        == true
    else { return }
    let installed = try connection.run("select realm.installed_routines()")[0].text(0) ?? ""
    routines = noted.text(1).flatMap {
      $0.hasSuffix(" " + installed) ? String($0.dropLast(installed.count + 1)) : nil
    }
  }

  /// Returns the class as the server has it, nil when it has none or one with types that this version does not know.
  package func serverClass(_ name: String) -> SyncClass? {
    let rows = properties.filter { $0.className == name }
    var properties: [SyncProperty] = []
    var collections: [SyncCollection] = []
    for row in rows {
      guard let type = ServerType(rawValue: row.type) else { return nil }
      if let kind = row.collection {
        collections.append(
          SyncCollection(
            name: row.name, column: -1, number: row.number, kind: kind, element: type,
            isOptional: row.isOptional,
            target: row.target))
        continue
      }
      properties.append(
        SyncProperty(
          name: row.name, column: -1, number: row.number, type: type, isOptional: row.isOptional,
          isCounter: row.isCounter, isRouting: row.isRouting, target: row.target))
    }
    guard let key = properties.first, key.number == 0 else { return nil }
    return SyncClass(
      name: name, table: -1, key: key, properties: Array(properties.dropFirst()), collections: collections)
  }
}
