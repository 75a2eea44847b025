import CSwiftRuntime
package import Storage
import Synchronization

/// A realm whose classes, properties and objects are numbers: those of tables, columns and rows, which never change their
/// meaning while the file exists.
///
/// Nothing here stops the program because of its caller: every function checks its arguments first and throws a `Refusal`.
/// An access that succeeds allocates nothing and counts no reference; all messages are made in functions of their own, after
/// the fast checks have failed.
package final class NumberedRealm {
  package let realm: Realm
  package let core: RealmCore
  let catalogue: NumberedCatalogue
  /// The classes: those of `catalogue`, or none once the realm was closed. Other threads read the number of the thread that
  /// is in front of them, and are refused.
  var tables: UnsafeMutablePointer<NumberedTables> { currentTables.load(ordering: .relaxed) }
  private let currentTables: Atomic<UnsafeMutablePointer<NumberedTables>>
  let damage: FoundDamage
  let isEncrypted: Bool
  let closing = ClosingMark()
  /// Whether a transaction was ever asked for that begins later.
  let hasBegunLater = Atomic(false)

  package init(_ realm: Realm) {
    self.realm = realm
    core = realm.core
    catalogue = core.numberedCatalogue()
    currentTables = Atomic(catalogue.tables)
    damage = catalogue.damage
    isEncrypted = core.isEncrypted
  }

  deinit {
    if core.isFrozen { return }
    let (handle, confinement) = (ObjectIdentifier(self), core.confinement)
    if confinement.isCurrent { return core.endOrphanedTransaction(handle) }
    // Handles are released on any thread. The realm is kept for what it waits for only, as it would be without this.
    guard hasBegunLater.load(ordering: .relaxed) else { return }
    nonisolated(unsafe) let core = core
    confinement.schedule { core.endOrphanedTransaction(handle) }
  }

  // MARK: Usability

  /// Whether `close` was called for this handle.
  package var isClosed: Bool { closing.isSet }

  /// Refuses all later calls with `closed`. The realm itself stays for others that use it.
  package func markClosed() {
    closing.set()
    // Other threads read through that of a frozen realm, and see the mark instead.
    if !core.isFrozen { currentTables.store(Self.noTables, ordering: .relaxed) }
  }

  // Never changed and never freed.
  nonisolated(unsafe) private static let noTables: UnsafeMutablePointer<NumberedTables> = {
    let none = ConfinedMemory.allocate(NumberedTables.self, thread: 0)
    none.initialize(to: .none)
    return none
  }()

  /// Throws unless the realm can be used by the caller.
  package func check() throws(Refusal) {
    try checkPlace()
    try checkDamage()
  }

  /// Throws unless the realm can be used by the caller, whether its file is damaged or not.
  func checkPlace() throws(Refusal) {
    // Where the caller is, is asked only when the number of its thread does not tell.
    let isOwner = !core.isFrozen && core.confinement.thread == currentThread()
    if !isOwner || core.isInherited || isClosed { try checkPlaceSlowly() }
  }

  @inline(never)
  private func checkPlaceSlowly() throws(Refusal) {
    if core.isInherited {
      throw Refusal(.closed, ProgrammerError.inheritedByFork(core.configuration.path).message)
    }
    // Only its own thread learns that a live realm was closed; other threads are refused first.
    if core.isFrozen {
      if isClosed || core.isClosed {
        throw Refusal(.closed, ProgrammerError.readingInvalidatedFrozen.message)
      }
    } else if !core.confinement.isCurrent {
      throw Refusal(.wrongThread, ProgrammerError.incorrectThread(nil, of: core.confinement).message)
    } else if isClosed {
      throw Refusal(.closed, "The Realm was closed.")
    }
  }

  /// Throws when the file turned out to be damaged. To be called after reading, too: what cannot be read reads as zero or
  /// null.
  @inline(__always)
  package func checkDamage() throws(Refusal) {
    if damage.isFound { throw damageRefusal }
  }

  /// Throws unless the caller can write here now.
  package func checkWrite() throws(Refusal) {
    try check()
    if core.snapshot.isWriting { return }
    if core.isFrozen { throw Refusal(.frozen, ProgrammerError.writeOnFrozen.message) }
    if core.configuration.readOnly { throw Refusal(.readOnly, ProgrammerError.writeOnReadOnly.message) }
    throw Refusal(.notInWrite, ProgrammerError.changingOutsideWrite.message)
  }

  /// Whether the calling thread may use the realm although the number of its thread is not that of the realm: a frozen
  /// realm, or one that belongs to a queue or an actor.
  @inline(never)
  private func isUsableElsewhere() -> Bool {
    if core.isInherited { return false }
    if core.isFrozen { return !isClosed && !core.isClosed }
    return core.confinement.isCurrent && !isClosed
  }

  // MARK: Objects

  /// Whether the object exists in the version that is shown; false when the realm cannot be used by the caller.
  package func isValid(_ object: NumberedObject) -> Bool {
    guard let known = fastClass(object.classNumber), !known.pointee.isRemoved else { return false }
    return known.pointee.table.isAlive(object.row) && !damage.isFound
  }

  /// The class with a number when the calling thread may use it; nil without a reason.
  @inline(__always)
  func fastClass(_ number: Int) -> UnsafeMutablePointer<NumberedClass>? {
    let tables = self.tables
    // Nothing else is read on another thread: the realm's own thread may be replacing it.
    guard ConfinedMemory.thread(of: tables) == currentThread() || isUsableElsewhere() else { return nil }
    guard UInt(bitPattern: number) < UInt(bitPattern: tables.pointee.count) else { return nil }
    return tables.pointee.classes + number
  }

  /// Throws unless there is a class with a number.
  func checkedClass(_ number: Int) throws(Refusal) -> NumberedClass {
    try check()
    guard number >= 0, number < tables.pointee.count, !tables.pointee.classes[number].isRemoved else {
      throw Refusal(.noSuchClass, "The Realm has no class with the number \(number).")
    }
    return tables.pointee.classes[number]
  }

  /// Throws unless the caller can use an object here. Returns the table that it is in.
  package func checkedTable(of object: NumberedObject) throws(Refusal) -> Table {
    let table = try checkedClass(object.classNumber).table
    let isAlive = table.isAlive(object.row)
    try checkDamage()
    if !isAlive { throw Refusal(.noSuchObject, ProgrammerError.objectInvalidated.message) }
    return table
  }

  /// Throws unless there is a property with a number.
  func checkedColumn(_ number: Int, _ column: Int) throws(Refusal) -> NumberedColumn {
    let known = try checkedClass(number)
    guard column >= 0, column < known.columnCount, !known.columns[column].isRemoved else {
      throw Refusal(
        .noSuchProperty, "Class '\(className(number))' has no property with the number \(column).")
    }
    return known.columns[column]
  }
}

/// Whether a handle was closed, for what may outlive it.
final class ClosingMark: Sendable {
  private let mark = Atomic(false)

  var isSet: Bool { mark.load(ordering: .relaxed) }

  func set() { mark.store(true, ordering: .relaxed) }
}

extension RealmCore {
  /// Stands for a handle that is gone.
  private static let gone = ObjectIdentifier(ClosingMark.self)

  /// Cancels the open write transaction when its handle is gone and other transactions wait for its end: nothing is left to end
  /// it with, and the realm would stay open, and all other writers would wait, for ever.
  ///
  /// - Parameter handle: A handle that is being released.
  fileprivate func endOrphanedTransaction(_ handle: ObjectIdentifier) {
    guard isInWrite else { return }
    if numberedWriter == handle { numberedWriter = Self.gone }
    if numberedWriter == Self.gone, hasAsyncWrites, !asyncWrites.isIdle { cancelWrite() }
  }
}
