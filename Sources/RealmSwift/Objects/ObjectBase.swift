public import CSwiftRuntime
public import Foundation
public import Storage
import SwiftRuntime

/// The common base of all model classes: an unmanaged object in memory or, once it is managed by a realm, a
/// live view of one row.
///
/// Managed objects belong to the thread, queue or actor of their realm.
open class ObjectBase: NSObject {
  // Read on every property access, and only ever by the thread that the object belongs to.
  @exclusivity(unchecked) @usableFromInline final var _realm: RealmCore?
  @exclusivity(unchecked) @usableFromInline final var _state: UnsafeMutablePointer<TableState>?
  @exclusivity(unchecked) @usableFromInline final var _row: Int = 0
  /// The table's vanish stamp when the row was last seen to be there.
  @exclusivity(unchecked) @usableFromInline final var _stamp: Int = 0

  /// Creates an unmanaged object with the default values of the class.
  public override init() {
    super.init()
  }

  /// Creates an unmanaged object of a class that is known only at run time, by the `init()` of that class. Generic code
  /// calls it without the argument: `T()`.
  ///
  /// Every class inherits this initialiser, unless it declares designated initialisers and no `init()`: such a class adds
  /// `override init() { super.init() }`.
  public required convenience init(_callingInit: Void = ()) {
    self.init()
  }

  deinit {
    if _state == nil {
      ReleaseQueue.takeReferences(of: self)
      UnconvertedValue.forget(self)
    }
  }

  /// Number of stored properties above.
  static let fieldCount = 4

  @inlinable @inline(__always)
  final var _table: Table { Table(_state.unsafelyUnwrapped) }

  @inlinable @inline(__always)
  final var _isManaged: Bool { _state != nil }

  /// Whether any thread may use the object, as that of a frozen realm: nothing may be stored in it then.
  @inlinable @inline(__always)
  final var _isShared: Bool { _table.thread == TableState.anyThread }

  /// Stops the program unless a managed object may be used here and its row is there.
  @inlinable @inline(__always)
  final func _checkAccess() {
    let state = _state.unsafelyUnwrapped
    if Table(state).thread != currentThread() || state.pointee.vanishStamp != _stamp { _checkAccessSlowly() }
  }

  /// Stops the program unless a column may be read here, and records the read if reads are tracked.
  @inlinable @inline(__always)
  final func _checkRead(_ column: Int32) {
    let state = _state.unsafelyUnwrapped
    let thread = currentThread()
    if Table(state).thread != thread || state.pointee.vanishStamp != _stamp
      || state.pointee.isTracked(on: thread)
    {
      _checkReadSlowly(column)
    }
  }

  /// Stops the program unless a collection may be read here. The collection of a deleted object is invalid, too.
  @inlinable @inline(__always)
  final func _checkCollectionRead(_ column: Int32) {
    let state = _state.unsafelyUnwrapped
    let thread = currentThread()
    if Table(state).thread != thread || state.pointee.vanishStamp != _stamp
      || state.pointee.isTracked(on: thread)
    {
      _checkCollectionReadSlowly(column)
    }
  }

  @usableFromInline @inline(never)
  final func _checkAccessSlowly() {
    if _isShared, !_realm.unsafelyUnwrapped.isClosed { return }
    guard _row >= 0, let realm = _realm, !realm.isClosed else { trap(.objectInvalidated) }
    realm.checkThread(classSchema.className)
    let table = _table
    guard !realm.isRetired(table), table.isAlive(_row) else { trap(.objectInvalidated) }
    _stamp = table.state.pointee.vanishStamp
  }

  /// Stops the program unless a managed object may be changed here.
  @inlinable @inline(__always)
  final func _checkWrite() {
    _checkAccess()
    if !_table.isWriting { _checkWriteSlowly() }
  }

  @usableFromInline @inline(never)
  final func _checkWriteSlowly() {
    trap(_realm.unsafelyUnwrapped.isFrozen ? .modifyingFrozenObject : .modifyingOutsideWrite)
  }

  /// Whether the row is there, without stopping when it is not.
  final var _isAlive: Bool {
    guard _row >= 0, let realm = _realm, !realm.isClosed, !realm.isRetired(_table) else { return false }
    return _table.isAlive(_row)
  }

  /// Whether the object was deleted or its realm invalidated.
  open var isInvalidated: Bool { _isManaged && !_isAlive }

  /// Cuts the object loose after its row was deleted through it.
  final func _invalidate() {
    _row = -1
    _stamp = .min
  }

  // MARK: Class metadata

  /// Returns the name of the class, which is also the name of its table.
  public class func className() -> String {
    // Those of the library have no properties, and so no schema.
    ClassDiscovery.nameOfOwnClass(self) ?? ClassSchema.of(self).className
  }
  /// Returns the schema of the class as realms store it, or nil for the classes of this library.
  ///
  /// Stops the program if the class cannot be stored.
  public class func sharedSchema() -> ObjectSchema? {
    ClassDiscovery.isOwnClass(self) ? nil : ObjectSchema(ClassSchema.of(self))
  }
  /// Returns whether realms that are opened without a list of classes include this class. The default is
  /// true.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }
  /// A name for the class's table other than the class's own.
  open class func _realmObjectName() -> String? { nil }
  /// Returns the column names of properties that are stored under another name than their own.
  open class func propertiesMapping() -> [String: String] { [:] }
  /// Not available: `propertiesMapping()` has the names.
  @available(*, unavailable, renamed: "propertiesMapping()")
  open class func _realmColumnNames() -> [String: String]? { nil }
  /// Returns whether objects of the class are stored inside a parent object.
  open class func isEmbedded() -> Bool { false }
  /// Returns the indexes over several properties and the rules of uniqueness; see ``Index``. An addition to
  /// the official SDK.
  open class func indexes() -> [Index] { [] }

  // MARK: Equality

  /// Returns whether both objects are equal: the same instance; for managed objects of a class with a primary
  /// key and for frozen objects, also the same row of the same realm.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ObjectBase else { return false }
    if self === other { return true }
    guard let realm = _realm, realm === other._realm, _state == other._state, _row == other._row else {
      return false
    }
    return realm.isFrozen || classSchema.hasPrimaryKey
  }

  /// A hash value that is consistent with `isEqual(_:)`.
  open override var hash: Int {
    if let realm = _realm, realm.isFrozen { return _row.hashValue }
    guard let primaryKey = classSchema.primaryKey, _realm == nil || _isAlive else {
      // A key of several properties may change.
      let isRow = _realm != nil && _isAlive && classSchema.hasPrimaryKey
      return isRow ? _row.hashValue : ObjectIdentifier(self).hashValue
    }
    return primaryKey.hash(self) ^ 1
  }

  /// The properties, each on a line, with the objects that they link to.
  open override var description: String { ObjectDescription.text(self) }
}
