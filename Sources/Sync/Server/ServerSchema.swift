/// The SQL that makes and extends the tables and functions of the server for a model.
///
/// Each text is one statement without a semicolon behind it. The caller runs them in their order in one transaction, as
/// the owner of the two schemas.
package struct ServerSchema: Sendable {
  package var model: SyncModel
  /// The name of the schema of the objects, without quotes.
  package var schema: String

  package init(_ model: SyncModel, schema: String = "app") {
    self.model = model
    self.schema = schema
  }

  /// The version of what clients and the functions of the server tell each other.
  package static let protocolVersion = 1
  /// The role whose members may synchronise.
  package static let role = "realm_user"
  /// How variables in the bodies of functions begin, so that none has the name of a property.
  static let variablePrefix = "realm$"
  /// Maximum time by which a stamp may be ahead of the server's clock, in milliseconds. Later ones are cut to it.
  static let clockTolerance = 60_000
  /// The greatest stamp that is accepted at present.
  static let latestStamp = "realm.now_hlc() + (\(clockTolerance)::bigint << 16)"

  /// The channel on which clients are notified of changes.
  package var channel: String { SQLText.identifier("realm_" + schema) }

  /// Returns why the name of the schema cannot be used, nil when it can.
  package static func refusal(ofSchema name: String) -> SyncRefusal.Reason? {
    let isReserved = name == "realm" || name.hasPrefix("pg_") || name == "information_schema"
    if !isReserved && !name.isEmpty && !name.utf8.contains(0)
      && name.utf8.count + "realm_".utf8.count <= SQLText.nameLimit
    {
      return nil
    }
    return SyncRefusal.Reason(
      isReserved ? .reservedName : name.utf8.count > 32 ? .nameTooLong : .unusableName,
      "The objects cannot be kept in a schema with the name '\(name)': choose another one, of at most 57 bytes."
    )
  }

  /// Returns the statements that make everything in a database in which nothing has been made.
  package func initialSQL() -> [String] {
    bookkeeping() + model.classes.enumerated().flatMap { definition(of: $1, number: $0 + 1) } + [routinesNote]
  }

  /// Returns the statements that add a class.
  ///
  /// - Parameter number: One more than the greatest number of a class in `realm.class`.
  package func addClass(_ item: SyncClass, number: Int) -> [String] {
    definition(of: item, number: number) + [raiseEpoch]
  }

  /// Returns the statements that add a property to a class that is there.
  ///
  /// - Parameters:
  ///   - property: The property, with one more than the greatest number of the class in `realm.property`. It is no
  ///     routing property.
  ///   - item: The class with all its properties, the new one included.
  package func addProperty(_ property: SyncProperty, to item: SyncClass) -> [String] {
    [
      "alter table \(names(of: item).table) add column \(declaration(of: property))",
      registration(of: property, in: item),
    ] + functions(of: item) + [raiseEpoch]
  }

  /// Returns the statements that add a collection to a class that is there.
  ///
  /// - Parameters:
  ///   - collection: The collection, with one more than the greatest number of the class in `realm.property`.
  ///   - item: The class with all its properties and collections, the new one included.
  package func addCollection(_ collection: SyncCollection, to item: SyncClass) -> [String] {
    definition(of: collection, in: item) + functions(of: item) + [raiseEpoch]
  }

  func names(of item: SyncClass) -> ServerNames { ServerNames(schema: schema, className: item.name) }

  var raiseEpoch: String { "update realm.server set schema_epoch = schema_epoch + 1" }

  private func definition(of item: SyncClass, number: Int) -> [String] {
    tables(of: item)
      + [
        """
        insert into realm.class (name, number, embedded) values (\(SQLText.literal(item.name)), \(number), false)
        """
      ] + ([item.key] + item.properties).map { registration(of: $0, in: item) }
      + routines(of: item)
      + item.collections.flatMap { definition(of: $0, in: item) }
  }

  private func registration(of property: SyncProperty, in item: SyncClass) -> String {
    let values = [
      SQLText.literal(item.name), SQLText.literal(property.name), "\(property.number)",
      SQLText.literal(property.type.rawValue), "\(property.isOptional)", "\(property.isCounter)",
      "\(property.isRouting)", property.target.map(SQLText.literal) ?? "null",
    ]
    return """
      insert into realm.property (class, name, number, type, nullable, counter, routing, target)
        values (\(values.joined(separator: ", ")))
      """
  }
}
