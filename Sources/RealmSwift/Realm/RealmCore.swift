import CSwiftRuntime
import Foundation
import Storage
import SwiftRuntime
import Synchronization

/// The live realm behind `Realm` values: one file as one thread, queue or actor sees it.
///
/// Managed objects and collections keep it alive.
public final class RealmCore {
  let configuration: Realm.Configuration
  let file: DatabaseFile
  private(set) var snapshot: Snapshot
  /// The writer of the realm's snapshot.
  var writer: Writer { Writer(snapshot) }
  let isFrozen: Bool
  let isEncrypted: Bool
  /// What the realm is found by in the cache, once it is there.
  var cacheIdentity: RealmIdentity?
  let confinement: Confinement
  /// Another one in a child of fork(), which must not use the realm.
  let generation = Fork.generation
  /// Tells the realm from all others of the process, also from those that are gone.
  let number = counter.add(1, ordering: .relaxed).newValue
  private static let counter = Atomic<UInt64>(0)
  /// Whether it is a frozen realm that was invalidated.
  var isClosed: Bool { closed.load(ordering: .relaxed) }
  private let closed = Atomic(false)
  /// How often the program has invalidated the realm.
  private(set) var invalidationCount = 0
  private var classTables = NumberTable<ClassTable>()
  /// The class asked for last, which is mostly the next one, too.
  @exclusivity(unchecked) private var lastType: ObjectIdentifier?
  @exclusivity(unchecked) private var lastClassTable: Unmanaged<ClassTable>?
  private var classTableByNumber: [ClassTable?] = []
  private var dynamicClassTables = NumberTable<ClassTable>()
  /// Of the catalogue that they were made for.
  private var knownCatalogueStamp: UInt64 = 0
  /// Guards the dynamic class tables and the flat copy of the catalogue of a frozen realm.
  let dynamicLock = FirstUseLock()
  /// The `NumberedRealm` that has begun the latest write transaction, if one of them has.
  var numberedWriter: ObjectIdentifier?
  /// The flat copy of the catalogue; nil until the realm is used by number.
  var numbered: NumberedCatalogue?
  /// Snapshots that were invalidated: objects may still point into their tables.
  private var retired: [Snapshot] = []
  private var retiredClassTables: [ClassTable] = []
  /// How objects in memory that meet an existing row are treated while one is being added.
  @exclusivity(unchecked) var updatePolicy: Realm.UpdatePolicy = .error
  @exclusivity(unchecked) var additions = Additions()
  /// Whether a collection of mixed values was ever read, which values for objects may then be made of.
  @exclusivity(unchecked) var hasMixedCollections = false
  /// Whether the realm is to follow the writes of others by itself.
  var autorefresh = true
  /// Whether the realm is kept until the turn ends, or until its write transaction does: see `KeptRealms`.
  var isKeptForTurn = false
  var isKeptForWrite = false
  /// Whether the realm has moved, or was frozen or resolved a reference.
  var wasUsed = false
  /// Whether anything may have been read or written here.
  var isInUse: Bool { wasUsed || lastType != nil || !dynamicClassTables.isEmpty || notifier != nil }
  /// Tells of commits while the realm follows them.
  var commitSubscription: CommitSubscription?
  /// What synchronises the file, which goes on as long as this realm is open; nil for local realms.
  var synchronisation: (any FileSynchronisation)?
  /// Nil until the first of them; see `asyncWrites`.
  var startedAsyncWrites: AsyncWriteQueue?
  /// The classes that the realm was opened with.
  let schemas: [ClassSchema]
  /// Who is told of changes; nil until something is observed.
  var notifier: Notifier?
  /// What was read by those who want to be told when it changes; nil until there are any.
  var tracking: ReadTracking?
  /// What is noted while the realm is one of the two that a migration block works with; nil for all others.
  let migration: MigrationNotes?
  private let trackingOffset = TrackingScope.offset
  /// Where the program opened the realm first, or that from which it was frozen; nil when it was not the program.
  let openedAt: CodeLocation?

  init(
    configuration: Realm.Configuration, file: DatabaseFile, snapshot: Snapshot, schemas: [ClassSchema],
    confinement: Confinement, openedAt: CodeLocation?, isFrozen: Bool = false,
    migration: MigrationNotes? = nil
  ) {
    self.configuration = configuration
    self.file = file
    self.snapshot = snapshot
    self.schemas = schemas
    self.confinement = confinement
    self.isFrozen = isFrozen
    isEncrypted = file.isEncrypted
    self.openedAt = openedAt
    self.migration = migration
    confineSnapshot()
    nameReader()
    makeClassTables()
  }

  deinit {
    RealmCache.remove(self)
    // That of a migration belongs to who opens the file.
    if snapshot.isWriting && migration == nil { writer.cancel() }
  }

  private func confineSnapshot() {
    snapshot.trackingOffset = trackingOffset
    snapshot.buildsShortStrings = ShortString.isKnown
    // Where nothing tells quickly whether reads are to be noted, each access looks closer.
    snapshot.confinedThread =
      isFrozen ? TableState.anyThread : trackingOffset == 0 ? 0 : confinement.thread
  }

  /// Whether what is read here may have to be noted.
  @inline(__always)
  var isTracked: Bool { TrackingScope.isOpen(offset: trackingOffset) }

  /// Lets diagnostics tell whose version it is.
  private func nameReader() {
    snapshot.reader.setOwner { [isFrozen, confinement, openedAt] in
      VersionReader.Owner(
        name: isFrozen ? "a frozen Realm" : confinement.description, location: openedAt)
    }
  }

  /// Makes the class tables fit the version that is shown now, which may have more of them, and other properties.
  func updateClassTables() {
    if snapshot.catalogue.tables.count != classTableByNumber.count {
      makeClassTables()
    } else if snapshot.catalogueStamp != knownCatalogueStamp {
      dropDynamicClassTables()
      // Another process may have begun to number keys, or ended it.
      for classTable in classTables.values { classTable.followSequence(in: snapshot.catalogue) }
    }
  }

  /// Those that are asked for are made anew.
  private func dropDynamicClassTables() {
    knownCatalogueStamp = snapshot.catalogueStamp
    retiredClassTables.append(contentsOf: dynamicClassTables.values)
    dynamicClassTables = NumberTable()
    numbered?.refresh(snapshot)
  }

  func makeClassTables() {
    dropDynamicClassTables()
    classTables = NumberTable()
    lastType = nil
    classTableByNumber = Array(repeating: nil, count: snapshot.catalogue.tables.count)
    // Of those that are described there are only dynamic tables.
    for schema in schemas where !schema.isDescribed {
      guard let number = snapshot.catalogue.table(named: schema.className) else { continue }
      let classTable = ClassTable(
        realm: self, schema: schema, table: snapshot.table(number),
        description: snapshot.catalogue.tables[number])
      classTables[ObjectIdentifier(schema.type)] = classTable
      classTableByNumber[number] = classTable
    }
  }

  // MARK: Confinement

  /// Stops the program unless the realm may be used here.
  @inline(__always)
  func checkThread() {
    if confinement.thread != currentThread() || generation != Fork.generation { checkThreadSlowly(nil) }
  }

  /// Stops the program, with the class in the message, unless the realm may be used here.
  @inline(__always)
  func checkThread(_ className: @autoclosure () -> String) {
    if generation != Fork.generation
      || confinement.thread != currentThread() && (isClosed || !confinement.isCurrent)
    {
      checkThreadSlowly(className())
    }
  }

  @inline(never)
  private func checkThreadSlowly(_ className: String?) {
    stopping { () throws(ProgrammerError) in try checkUsable(className) }
  }

  /// Throws unless the realm may be used here: in a child of fork(), when it was closed, and on another thread.
  func checkUsable(_ className: String? = nil) throws(ProgrammerError) {
    // Finding out where the caller is takes system calls, which the number of its thread saves.
    if confinement.thread == currentThread(), generation == Fork.generation, !isClosed { return }
    if isInherited { throw .inheritedByFork(configuration.path) }
    if isClosed { throw .readingInvalidatedFrozen }
    if !confinement.isCurrent { throw .incorrectThread(className, of: confinement) }
  }

  // MARK: Classes

  /// The table of a class; stops the program when the realm does not know it.
  func classTable(_ type: ObjectBase.Type) -> ClassTable {
    withClassTable(type) { $0 }
  }

  /// Calls a closure with the table of a class without retaining it, for paths where reference counting dominates.
  @inline(__always)
  func withClassTable<Result>(_ type: ObjectBase.Type, _ body: (ClassTable) -> Result) -> Result {
    if lastType == ObjectIdentifier(type), let last = lastClassTable {
      return last._withUnsafeGuaranteedRef(body)
    }
    return body(findClassTable(type))
  }

  @inline(never)
  private func findClassTable(_ type: ObjectBase.Type) -> ClassTable {
    if let classTable = classTables[ObjectIdentifier(type)] {
      if isFrozen { return classTable }
      lastType = ObjectIdentifier(type)
      lastClassTable = .passUnretained(classTable)
      return classTable
    }
    if let reason = configuration.classes?.reasonForLeavingOut(type) { trap(reason) }
    trap(.classNotManaged(type.className()))
  }

  /// Whether a class has a primary key, also one that the realm does not know.
  func hasPrimaryKey(_ type: ObjectBase.Type) -> Bool {
    if lastType == ObjectIdentifier(type), let last = lastClassTable {
      return last._withUnsafeGuaranteedRef { $0.schema.hasPrimaryKey }
    }
    return ClassSchema.of(type).hasPrimaryKey
  }

  func knownClassTable(number: Int) -> ClassTable? {
    number < classTableByNumber.count ? classTableByNumber[number] : nil
  }

  func knownClassTable(_ type: ObjectBase.Type) -> ClassTable? { classTables[ObjectIdentifier(type)] }

  /// The table of an object's class.
  func classTable(of object: ObjectBase) -> ClassTable {
    if type(of: object) == DynamicObject.self, let found = classTable(named: object.classSchema.className) {
      return found
    }
    return classTable(type(of: object))
  }

  /// The class with this table number; dynamic when the program has no class for it.
  func classTable(number: Int) -> ClassTable {
    if number < classTableByNumber.count, let classTable = classTableByNumber[number] { return classTable }
    return dynamicClassTable(number)
  }

  func classTable(named name: String) -> ClassTable? {
    guard let number = snapshot.catalogue.table(named: name) else { return nil }
    return classTable(number: number)
  }

  /// The table as `DynamicObject`s, whether the program has a class for it or not.
  func dynamicClassTable(_ number: Int) -> ClassTable {
    if isFrozen { return dynamicLock.withLock { findDynamicClassTable(number) } }
    return findDynamicClassTable(number)
  }

  private func findDynamicClassTable(_ number: Int) -> ClassTable {
    if let classTable = dynamicClassTables[number] { return classTable }
    let classTable = makeDynamicClassTable(number)
    dynamicClassTables[number] = classTable
    return classTable
  }

  /// The table as objects of a type: dynamic ones when that is asked for.
  @inline(__always)
  func classTable<T>(number: Int, as type: T.Type) -> ClassTable {
    if type == DynamicObject.self || type == DynamicObject?.self { return dynamicClassTable(number) }
    return classTable(number: number)
  }

  /// The class that a link column points to.
  @inline(__always)
  func linkTarget(_ table: Table, _ column: Int) -> ClassTable {
    classTable(number: snapshot.catalogue.tables[table.number].columns[column].target)
  }

  /// Returns the row that a link to an object gets. Objects in memory are added first.
  ///
  /// Stops the program when the object is of another class than the link leads to, such as a subclass: its row is one of
  /// another table.
  func rowForLink(to object: ObjectBase, _ target: ClassTable) -> Int {
    if object._isManaged {
      guard object._realm === self else { trap(.managedByAnotherRealm) }
      guard object._isAlive else { trap(.addingInvalidated) }
    } else {
      // Before adding, which would leave an object behind, or complain about its key.
      if classTable(of: object).table.number != target.table.number { failLink(to: object, target) }
      return add(object, policy: updatePolicy, allowsEmbedded: true)
    }
    if object._state != target.table.state { failLink(to: object, target) }
    return object._row
  }

  /// Stops the program because a link cannot lead to an object of this class.
  func failLink(to object: ObjectBase, _ target: ClassTable) -> Never {
    trap(
      "Can't set object of type '\(object.classSchema.className)' to property of type '\(target.className)'")
  }

  // MARK: Snapshots

  /// Makes a frozen realm unusable.
  func close() { closed.store(true, ordering: .relaxed) }

  /// Lets the realm read another snapshot, with all objects and collections of the one before invalid.
  ///
  /// - Parameter isInvalidation: Whether results that were made before are invalidated.
  func replaceSnapshot(_ fresh: Snapshot, isInvalidation: Bool = false) {
    if isInvalidation { invalidationCount += 1 }
    if configuration.readOnly {
      fresh.addEmptyTables(Array(snapshot.catalogue.tables.suffix(from: fresh.catalogue.tables.count)))
    }
    fresh.continueStamps(of: snapshot)
    snapshot.retire(after: retired.first)
    retired.append(snapshot)
    retiredClassTables.append(contentsOf: classTables.values)
    // A thread number that no thread has makes every access look closer.
    snapshot.confinedThread = 0
    snapshot = fresh
    confineSnapshot()
    nameReader()
    makeClassTables()
  }

  /// Whether this is a frozen realm with the version and the classes of another one.
  func isFrozenState(of other: RealmCore) -> Bool {
    isFrozen && !isInherited && !isClosed && snapshot.version == other.snapshot.version
      && schemas.elementsEqual(other.schemas) { $0.isAlike($1) }
  }

  /// Whether a table belongs to what `invalidate` threw away.
  func isRetired(_ table: Table) -> Bool {
    !retired.isEmpty && table.snapshot !== snapshot
  }
}
