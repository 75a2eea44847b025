import Storage

/// What a migration block is given: the objects as they were, and as they are to be.
///
///     var configuration = Realm.Configuration(schemaVersion: 2)
///     configuration.migrationBlock = { migration, oldVersion in
///       if oldVersion < 1 {
///         migration.renameProperty(onType: "Person", from: "surname", to: "lastName")
///       }
///       if oldVersion < 2 {
///         migration.enumerateObjects(ofType: "Person") { old, new in
///           new!["fullName"] = "\(new!["firstName"]!) \(new!["lastName"]!)"
///         }
///       }
///     }
///
/// The block runs within one write transaction, which is committed when it has returned: whatever stops the program
/// before, the file stays as it was. Migration and objects must not be used after the block.
///
/// Old objects can only be read, have the types that are stored, and their properties the names in the file
/// (`propertiesMapping()`); new ones have the names of the class. Integers of all widths are `Int`s, enums and custom
/// types are what is stored of them.
///
/// What the block does not set has been set before: values are kept where the type is the same, nulls of what became
/// required are zero or empty, and so is what was added or has another type now. Default values of the class are not
/// used. When the block has returned, objects of a class that has become embedded are deleted where nothing links to them, and
/// copied where several do.
public final class Migration {
  /// The classes of the file as it was, with the names that the properties have in it.
  public let oldSchema: Schema
  /// The classes that the realm is opened with.
  public let newSchema: Schema

  private let oldVersion: UInt64
  private let newVersion: UInt64
  private let oldRealm: RealmCore
  private let newRealm: RealmCore
  /// What is left to be done when the block has returned.
  private(set) var update: SchemaUpdate
  private var isEnumerating = false
  /// Why a step failed.
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

  /// Calls a block with every object of a class: as it was, and as it is to be.
  ///
  /// Of a class that the program does not have any more there are only the old objects, and of one that the file did not
  /// have only new ones, those that were created before. Objects that were deleted before are left out, and those that
  /// are created meanwhile. Nothing happens when there is no such class. An object is only good until the block returns:
  /// mostly the same one serves for the next, unless something else refers to it.
  ///
  /// Where the file is damaged, the block is not called with objects whose values can not be read: enumerating ends there.
  /// Nothing is migrated then, and opening the realm throws `invalidDatabase`.
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
    try table.forEachSoundRow(packing: new?.table) { row in
      guard new?.table.isAlive(row) ?? true else { return }
      try block(oldObjects?.dynamicObject(row), newObjects?.dynamicObject(row))
    }
  }

  /// Creates an object of a class of the program. What the value does not say has the defaults of the class.
  ///
  /// Stops the program when there is no such class, or the value does not fit it.
  @discardableResult
  public func create(_ typeName: String, value: Any = []) -> MigrationObject {
    if update.classes.schema(named: typeName) == nil { trap(.classNotManaged(typeName)) }
    return newRealm.dynamicCreate(typeName, value: value, policy: .error)
  }

  /// Deletes an object, which must be a new one.
  public func delete(_ object: MigrationObject) { Realm(newRealm).delete(object) }

  /// Deletes all objects of a class. Returns false when the file has no such class.
  ///
  /// A class that the program does not have any more is removed from the file, unless another class of the file links to it.
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

  /// Gives a property of the file another name, with its values. Both are the names in the file.
  ///
  /// The program is stopped when the class still has the old property, the file does not have it, or the new one has
  /// another type or can not be nil as the old one could; and when this is called while objects are enumerated.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    if isEnumerating {
      trap("Cannot rename property '\(typeName).\(oldName)' while objects are being enumerated.")
    }
    update.rename(typeName, from: oldName, to: newName)
    newRealm.makeClassTables()
  }

  // MARK: Steps

  /// Does what leads to a schema version, unless the file has it already.
  ///
  ///     configuration.migrationBlock = { migration, _ in
  ///       migration.step("Surnames are last names", to: 1) {
  ///         migration.renameProperty(onType: "Person", from: "surname", to: "lastName")
  ///       }
  ///       migration.step("No dogs without a name", to: 2) {
  ///         migration.enumerateObjects(ofType: "Dog") { _, dog in
  ///           if dog?["name"] as? String == "" { dog?["name"] = "Rex" }
  ///         }
  ///       }
  ///     }
  ///
  /// When a step throws, later ones are left out, other code of the block goes on, nothing is migrated, and opening the
  /// realm throws the same error. An addition to the official SDK.
  ///
  /// - Parameters:
  ///   - name: For the log.
  ///   - version: The step runs when the file is older than this.
  ///   - body: Brings the objects there.
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
      failure = error
    }
  }
}

/// A block that is given objects as they were and as they are to be.
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
