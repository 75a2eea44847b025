import Storage

/// The argument of a migration block: access to the objects before and after the migration.
///
/// ```swift
/// var configuration = Realm.Configuration(schemaVersion: 2)
/// configuration.migrationBlock = { migration, oldVersion in
///   if oldVersion < 1 {
///     migration.renameProperty(onType: "Hut", from: "height", to: "altitude")
///   }
///   if oldVersion < 2 {
///     migration.enumerateObjects(ofType: "Hut") { old, new in
///       new!["title"] = "\(new!["name"]!), \(new!["altitude"]!) m"
///     }
///   }
/// }
/// ```
///
/// The block runs within one write transaction, which is committed when it returns: if the program stops
/// before, the file is unchanged. The migration and its objects must not be used after the block.
///
/// Old objects are read-only. They have the stored types and the column names of the file
/// (`propertiesMapping()`); new objects have the names of the class. Integers of all widths are `Int`, enums
/// and custom types are their stored values.
///
/// Properties that the block does not set have these values: the old value if the type is unchanged; zero or
/// empty for a null in a property that became required, and for a property that was added or changed its
/// type. Default values of the class are not used. After the block, objects of a class that became embedded
/// are deleted if nothing links to them, and copied if several objects do.
public final class Migration {
  /// The classes of the file before the migration, with the column names of the properties.
  public let oldSchema: Schema
  /// The classes that the realm is opened with.
  public let newSchema: Schema

  private let oldVersion: UInt64
  private let newVersion: UInt64
  let oldRealm: RealmCore
  let newRealm: RealmCore
  /// What is left to be done when the block has returned.
  private(set) var update: SchemaUpdate
  private var isEnumerating = false
  /// Why a step, or a call from another language, failed: what opening the realm throws.
  private(set) var failure: (any Error)?

  init(_ update: SchemaUpdate, from old: RealmCore, to new: RealmCore) {
    self.update = update
    oldRealm = old
    newRealm = new
    oldVersion = update.oldCatalogue.schemaVersion
    newVersion = update.snapshot.catalogue.schemaVersion
    oldSchema = Schema(ModelClasses(stored: old.storedSchemas))
    newSchema = Schema(update.classes)
  }

  // MARK: Objects

  /// Calls a block with every object of a class, before and after the migration.
  ///
  /// ```swift
  /// migration.enumerateObjects(ofType: "Hut") { old, new in
  ///   new!["title"] = "\(new!["name"]!), \(new!["altitude"]!) m"
  /// }
  /// ```
  ///
  /// For a class that the program no longer has, only the old objects are available; for a class that the
  /// file did not have, only new objects that the block has created before. Objects that were deleted before
  /// are omitted, and objects that are created during the enumeration. Has no effect if there is no such
  /// class. An object is valid only until the block returns: the instance is usually reused for the next
  /// object, unless something else refers to it.
  ///
  /// If the file is damaged, the block is not called with objects whose values cannot be read: the
  /// enumeration ends there, nothing is migrated, and opening the realm throws `invalidDatabase`.
  public func enumerateObjects(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    let old = oldRealm.snapshot.catalogue.table(named: typeName).map(oldRealm.dynamicClassTable)
    let new = newTable(typeName)
    let wasEnumerating = isEnumerating
    isEnumerating = true
    defer { isEnumerating = wasEnumerating }
    guard let table = (old ?? new)?.table else { return }
    let oldObjects = old.map { ObjectCursor($0, rows: []) }
    let newObjects = new.map { ObjectCursor($0, rows: []) }
    try table.forEachSoundRow { row in
      guard new?.table.isAlive(row) ?? true else { return }
      try block(oldObjects?.dynamicObject(row), newObjects?.dynamicObject(row))
    } afterChunk: {
      if let new { newRealm.writer.packChunks(new.table, $0) }
    }
  }

  /// Creates an object of a class of the program and returns it. Missing values have the defaults of the
  /// class.
  ///
  /// Stops the program if there is no such class, or if the value does not fit it.
  @discardableResult
  public func create(_ typeName: String, value: Any = []) -> MigrationObject {
    if update.classes.schema(named: typeName) == nil { trap(.classNotManaged(typeName)) }
    return newRealm.dynamicCreate(typeName, value: value, policy: .error)
  }

  /// Deletes an object, which must be a new object.
  public func delete(_ object: MigrationObject) { Realm(newRealm).delete(object) }

  /// Deletes all objects of a class. Returns false if the file has no such class.
  ///
  /// A class that the program no longer has is removed from the file, unless another class of the file links
  /// to it.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    guard let table = newRealm.snapshot.catalogue.table(named: typeName) else { return false }
    newRealm.snapshot.table(table).deleteAllRows()
    if newTable(typeName) == nil { update.unwantedTables.insert(table) }
    return true
  }

  private func newTable(_ typeName: String) -> ClassTable? {
    guard update.classes.schema(named: typeName) != nil,
      let number = newRealm.snapshot.catalogue.table(named: typeName)
    else { return nil }
    return newRealm.dynamicClassTable(number)
  }

  // MARK: Properties

  /// Renames a property of the file and keeps its values. Both names are column names of the file.
  ///
  /// ```swift
  /// migration.renameProperty(onType: "Hut", from: "height", to: "altitude")
  /// ```
  ///
  /// Stops the program if the class still has the old property, if the file does not have it, if the new
  /// property has another type or cannot be nil although the old one could, and if it is called during an
  /// enumeration.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    stopping { () throws(ProgrammerError) in
      try renamePropertyOrThrow(onType: typeName, from: oldName, to: newName)
    }
  }

  /// Renames a property as `renameProperty` does.
  ///
  /// - Throws: Where that stops the program. Nothing is changed then.
  func renamePropertyOrThrow(
    onType typeName: String, from oldName: String, to newName: String
  ) throws(ProgrammerError) {
    if isEnumerating {
      throw .invalidRename(
        "Cannot rename property '\(typeName).\(oldName)' while objects are being enumerated.")
    }
    try update.rename(typeName, from: oldName, to: newName)
    newRealm.makeClassTables()
  }

  /// Throws when a property has got a name that its class does not have, which may be its way to another name while the
  /// block runs.
  func checkRenames() throws(ProgrammerError) { try update.checkNames() }

  // MARK: Failures

  /// Lets the migration fail: when the block has returned, nothing is migrated, and opening the realm throws the first
  /// of these errors.
  func fail(_ error: any Error) {
    if failure == nil { failure = error }
  }

  // MARK: Steps

  /// Runs the code that leads to a schema version, unless the file has this version already.
  ///
  /// ```swift
  /// configuration.migrationBlock = { migration, _ in
  ///   migration.step("Heights are altitudes", to: 1) {
  ///     migration.renameProperty(onType: "Hut", from: "height", to: "altitude")
  ///   }
  ///   migration.step("No huts without a name", to: 2) {
  ///     migration.enumerateObjects(ofType: "Hut") { _, hut in
  ///       if hut?["name"] as? String == "" { hut?["name"] = "Unnamed" }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// If a step throws, later steps are skipped, other code of the block continues, nothing is migrated, and
  /// opening the realm throws the same error. An addition to the official SDK.
  ///
  /// - Parameters:
  ///   - name: The name for the log.
  ///   - version: The schema version that the step leads to. The step runs if the file has a lower version.
  ///   - body: The code of the step.
  public func step(_ name: String, to version: UInt64, _ body: () throws -> Void) {
    if failure != nil || oldVersion >= version { return }
    if version > newVersion {
      trap(
        "Migration step '\(name)' leads to schema version \(version), but the Realm is opened with \(newVersion)."
      )
    }
    do {
      try body()
    } catch {
      Logger.shared.log(.error, "Migration step '\(name)' to schema version \(version) failed: \(error)")
      fail(error)
    }
  }
}

/// A block that is called with an object before and after the migration.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

extension ObjectCursor {
  /// The object of a row of a dynamic table.
  fileprivate func dynamicObject(_ row: Int) -> DynamicObject {
    unsafeDowncast(object(row), to: DynamicObject.self)
  }
}

extension RealmCore {
  /// All classes of the file.
  fileprivate var storedSchemas: [ClassSchema] {
    snapshot.catalogue.tables.indices.filter { !snapshot.catalogue.tables[$0].isRemoved }
      .map { dynamicClassTable($0).schema }
  }
}
