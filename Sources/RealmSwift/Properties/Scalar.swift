public import Foundation
public import Storage

/// A type that is stored as one value of a column, as itself: numbers, strings, dates and so on.
public protocol _Scalar: _PersistableInsideOptional, _RealmCollectionValueInsideOptional,
  _DefaultConstructible
where PersistedType == Self {
  static var _rlmPropertyType: PropertyType { get }
  init?(_rlm value: StoredValue)
  var _rlmStored: StoredValue { get }
}

extension _Scalar {

  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind { _PropertyKind(type: _rlmPropertyType) }
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> Self { Self() }
  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> Self? {
    // A cast would also take numbers of other types, which Foundation converts.
    if let value = Coercion.exact(value, Self.self) { return value }
    return Coercion.scalar(value, _rlmPropertyType).flatMap { Self(_rlm: $0) }
  }
  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { self }
  /// For `_Persistable`: what is stored for a single value; nil for links and collections.
  public var _rlmStoredScalar: StoredValue? { _rlmStored }

  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self {
    Self(_rlm: value) ?? Self()
  }
  /// For `RealmCollectionValue`: what is stored for the element.
  public func _rlmStore(_ realm: RealmCore) -> StoredValue { _rlmStored }
  /// For `RealmCollectionValue`: makes an element of a value of another type; nil when it does not fit.
  public static func _rlmCoerceElement(_ value: Any) -> Self? { _rlmCoerce(value) }
  /// For `RealmCollectionValue`: the element as key-value coding sees it.
  public var _rlmDynamicElement: Any? { self }
}

extension ObjectBase {
  /// Whether the row has a value, and one that passes a test.
  @inline(__always)
  fileprivate final func _isStored(_ column: Int, _ isSame: (Chunk, Int) -> Bool) -> Bool {
    _table.read(column, _row) { !$0.isNull($1) && isSame($0, $1) }
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func isExactly(_ other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && (isEmpty || memcmp(baseAddress!, other.baseAddress!, count) == 0)
  }
}

/// The integer types: all are stored in 64 bits.
public protocol _IntegerScalar: _Scalar, FixedWidthInteger, _Indexable, _PrimaryKey {}

extension _IntegerScalar {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .int }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  @inlinable public init?(_rlm value: StoredValue) {
    guard case .int(let number) = value else { return nil }
    self.init(truncatingIfNeeded: number)
  }
  /// For `_Scalar`: what is stored for the value.
  @inlinable public var _rlmStored: StoredValue { .int(Int64(truncatingIfNeeded: self)) }
  // Can be cast to `Int` and to the type itself.
  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { Self.self == Int.self ? self : NSNumber(value: Int(self)) }
  /// For `RealmCollectionValue`: the element as key-value coding sees it.
  public var _rlmDynamicElement: Any? { _rlmDynamicValue }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    object._isStored(column) { $0.integer($1) == Int64(truncatingIfNeeded: self) }
  }

  /// For `_Persistable`: reads the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Self {
    Self(truncatingIfNeeded: object._table.integer(column, object._row))
  }
  /// For `_Persistable`: writes the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    object._table.setInteger(column, object._row, Int64(truncatingIfNeeded: value))
  }
  /// For `RealmCollectionValue`: the element for what is stored.
  @inlinable
  public static func _rlmElement(_ chunk: Chunk, _ index: Int, _ source: _ElementSource) -> Self {
    Self(truncatingIfNeeded: chunk.integer(index))
  }
}

extension Int: _IntegerScalar {}
extension Int8: _IntegerScalar {}
extension Int16: _IntegerScalar {}
extension Int32: _IntegerScalar {}
extension Int64: _IntegerScalar {}

extension Bool: _Scalar, _Indexable, _PrimaryKey {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .bool }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public init?(_rlm value: StoredValue) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .bool(self) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    object._isStored(column) { $0.bit($1) == self }
  }
  /// For `_Persistable`: reads the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Bool {
    object._table.bool(column, object._row)
  }
  /// For `_Persistable`: writes the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Bool) {
    object._table.setBool(column, object._row, value)
  }
}

extension Float: _Scalar {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .float }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public init?(_rlm value: StoredValue) {
    guard case .float(let number) = value else { return nil }
    self = number
  }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .float(self) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    object._isStored(column) { $0.float($1).bitPattern == bitPattern }
  }
  /// For `_Persistable`: reads the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Float {
    object._table.float(column, object._row)
  }
  /// For `_Persistable`: writes the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Float) {
    object._table.setFloat(column, object._row, value)
  }
}

extension Double: _Scalar {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .double }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public init?(_rlm value: StoredValue) {
    guard case .double(let number) = value else { return nil }
    self = number
  }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .double(self) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    object._isStored(column) { $0.double($1).bitPattern == bitPattern }
  }
  /// For `_Persistable`: reads the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Double {
    object._table.double(column, object._row)
  }
  /// For `_Persistable`: writes the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Double) {
    object._table.setDouble(column, object._row, value)
  }
}

extension Date: _Scalar, _Indexable {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .date }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public init?(_rlm value: StoredValue) {
    guard case .date(let seconds) = value else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .date(timeIntervalSinceReferenceDate) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    timeIntervalSinceReferenceDate._rlmIsStored(object, column)
  }
  /// For `_Persistable`: reads the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: object._table.double(column, object._row))
  }
  /// For `_Persistable`: writes the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Date) {
    object._table.setDouble(column, object._row, value.timeIntervalSinceReferenceDate)
  }
}

extension String: _Scalar, _Indexable, _PrimaryKey, _FullTextSearchable {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .string }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public init?(_rlm value: StoredValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .string(self) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    if object._table.isNull(column, object._row) { return false }
    let stored = object._table.bytes(column, object._row)
    var text = self
    return text.withUTF8 { UnsafeRawBufferPointer($0).isExactly(stored) }
  }
  /// For `_Persistable`: reads the column of a managed object.
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> String {
    object._table.string(column, object._row)
  }
  /// For `_Persistable`: writes the column of a managed object.
  @inlinable
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: String) {
    object._table.setString(column, object._row, value)
  }
}

extension Data: _Scalar {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .data }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public init?(_rlm value: StoredValue) {
    guard case .data(let bytes) = value else { return nil }
    self.init(bytes)
  }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .data(Array(self)) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    if object._table.isNull(column, object._row) { return false }
    return object._table.withBytes(column, object._row) { stored in
      withUnsafeBytes { $0.isExactly(stored) }
    }
  }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Data {
    object._table.withBytes(column, object._row) { Data($0) }
  }
  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Data) {
    value.withUnsafeBytes { object._table.setData(column, object._row, $0) }
  }
}

extension UUID: _Scalar, _Indexable, _PrimaryKey {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .UUID }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public init?(_rlm value: StoredValue) {
    guard case .uuid(let fixed) = value else { return nil }
    self.init(fixed)
  }
  init(_ fixed: Fixed16) {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { fixed.store(to: $0.baseAddress!) }
    self.init(uuid: bytes)
  }
  var fixed: Fixed16 { withUnsafeBytes(of: uuid) { Fixed16($0.baseAddress!) } }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .uuid(fixed) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    object._isStored(column) { Fixed16($0.fixed16($1)) == fixed }
  }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> UUID {
    object._table.read(column, object._row) { UUID(Fixed16($0.fixed16($1))) }
  }
  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: UUID) {
    object._table.setFixed16(column, object._row, value.fixed)
  }
}

extension ObjectId: _Scalar, _Indexable, _PrimaryKey {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .objectId }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public convenience init?(_rlm value: StoredValue) {
    guard case .objectId(let fixed) = value else { return nil }
    self.init(fixed)
  }
  convenience init(_ fixed: Fixed12) {
    self.init(high: fixed.high, low: fixed.low)
  }
  var fixed: Fixed12 {
    withUnsafeTemporaryAllocation(byteCount: 12, alignment: 8) { buffer in
      store(to: buffer.baseAddress!)
      return Fixed12(UnsafeRawPointer(buffer.baseAddress!))
    }
  }
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> ObjectId { ObjectId.generate() }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .objectId(fixed) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    object._isStored(column) { Fixed12($0.fixed12($1)) == fixed }
  }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> ObjectId {
    object._table.read(column, object._row) { ObjectId(bytes: $0.fixed12($1)) }
  }
  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: ObjectId) {
    object._table.setFixed12(column, object._row, value.fixed)
  }
}

extension Decimal128: _Scalar {
  /// For `_Scalar`: the type that schemas name.
  public static var _rlmPropertyType: PropertyType { .decimal128 }
  /// For `_Scalar`: the value of what is stored; nil when that is of another type.
  public convenience init?(_rlm value: StoredValue) {
    guard case .decimal128(let fixed) = value else { return nil }
    self.init(fixed)
  }
  convenience init(_ fixed: Fixed16) {
    // Its bytes are those of the number from the least significant on.
    self.init(bits: BID128(high: fixed.low.byteSwapped, low: fixed.high.byteSwapped))
  }
  var fixed: Fixed16 {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { buffer in
      store(to: buffer.baseAddress!)
      return Fixed16(UnsafeRawPointer(buffer.baseAddress!))
    }
  }
  /// For `_Scalar`: what is stored for the value.
  public var _rlmStored: StoredValue { .decimal128(fixed) }
  /// For `_Persistable`: whether a row has the value already.
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    object._isStored(column) { Fixed16($0.fixed16($1)) == fixed }
  }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Decimal128 {
    object._table.read(column, object._row) { Decimal128(bytes: $0.fixed16($1)) }
  }
  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Decimal128) {
    object._table.setFixed16(column, object._row, value.fixed)
  }
}
