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

  public static var _rlmKind: _PropertyKind { _PropertyKind(type: _rlmPropertyType) }
  public static func _rlmDefaultValue() -> Self { Self() }
  public static func _rlmCoerce(_ value: Any) -> Self? {
    // A cast would also take numbers of other types, which Foundation converts.
    if type(of: value) == Self.self { return (value as! Self) }
    return Coercion.scalar(value, _rlmPropertyType).flatMap { Self(_rlm: $0) }
  }
  public var _rlmDynamicValue: Any? { self }
  public var _rlmStoredScalar: StoredValue? { _rlmStored }

  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> Self {
    Self(_rlm: value) ?? Self()
  }
  public func _rlmStore(_ realm: RealmCore) -> StoredValue { _rlmStored }
  public static func _rlmCoerceElement(_ value: Any) -> Self? { _rlmCoerce(value) }
  public var _rlmDynamicElement: Any? { self }
}

/// The integer types: all are stored in 64 bits.
public protocol _IntegerScalar: _Scalar, FixedWidthInteger, _Indexable, _PrimaryKey {}

extension _IntegerScalar {
  public static var _rlmPropertyType: PropertyType { .int }
  @inlinable public init?(_rlm value: StoredValue) {
    guard case .int(let number) = value else { return nil }
    self.init(truncatingIfNeeded: number)
  }
  @inlinable public var _rlmStored: StoredValue { .int(Int64(truncatingIfNeeded: self)) }
  // Can be cast to `Int` and to the type itself.
  public var _rlmDynamicValue: Any? { Self.self == Int.self ? self : NSNumber(value: Int(self)) }
  public var _rlmDynamicElement: Any? { _rlmDynamicValue }
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    !object._table.isNull(column, object._row)
      && object._table.integer(column, object._row) == Int64(truncatingIfNeeded: self)
  }

  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Self {
    Self(truncatingIfNeeded: object._table.integer(column, object._row))
  }
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    object._table.setInteger(column, object._row, Int64(truncatingIfNeeded: value))
  }
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
  public static var _rlmPropertyType: PropertyType { .bool }
  public init?(_rlm value: StoredValue) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }
  public var _rlmStored: StoredValue { .bool(self) }
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Bool {
    object._table.bool(column, object._row)
  }
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Bool) {
    object._table.setBool(column, object._row, value)
  }
}

extension Float: _Scalar {
  public static var _rlmPropertyType: PropertyType { .float }
  public init?(_rlm value: StoredValue) {
    guard case .float(let number) = value else { return nil }
    self = number
  }
  public var _rlmStored: StoredValue { .float(self) }
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Float {
    object._table.float(column, object._row)
  }
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Float) {
    object._table.setFloat(column, object._row, value)
  }
}

extension Double: _Scalar {
  public static var _rlmPropertyType: PropertyType { .double }
  public init?(_rlm value: StoredValue) {
    guard case .double(let number) = value else { return nil }
    self = number
  }
  public var _rlmStored: StoredValue { .double(self) }
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Double {
    object._table.double(column, object._row)
  }
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Double) {
    object._table.setDouble(column, object._row, value)
  }
}

extension Date: _Scalar, _Indexable {
  public static var _rlmPropertyType: PropertyType { .date }
  public init?(_rlm value: StoredValue) {
    guard case .date(let seconds) = value else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }
  public var _rlmStored: StoredValue { .date(timeIntervalSinceReferenceDate) }
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: object._table.double(column, object._row))
  }
  @inlinable @inline(__always)
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Date) {
    object._table.setDouble(column, object._row, value.timeIntervalSinceReferenceDate)
  }
}

extension String: _Scalar, _Indexable, _PrimaryKey, _FullTextSearchable {
  public static var _rlmPropertyType: PropertyType { .string }
  public init?(_rlm value: StoredValue) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
  public var _rlmStored: StoredValue { .string(self) }
  public func _rlmIsStored(_ object: ObjectBase, _ column: Int) -> Bool {
    if object._table.isNull(column, object._row) { return false }
    let stored = object._table.bytes(column, object._row)
    var text = self
    return text.withUTF8 {
      $0.count == stored.count && ($0.isEmpty || memcmp($0.baseAddress!, stored.baseAddress!, $0.count) == 0)
    }
  }
  @inlinable @inline(__always)
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> String {
    object._table.string(column, object._row)
  }
  @inlinable
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: String) {
    object._table.setString(column, object._row, value)
  }
}

extension Data: _Scalar {
  public static var _rlmPropertyType: PropertyType { .data }
  public init?(_rlm value: StoredValue) {
    guard case .data(let bytes) = value else { return nil }
    self.init(bytes)
  }
  public var _rlmStored: StoredValue { .data(Array(self)) }
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Data {
    Data(object._table.bytes(column, object._row))
  }
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Data) {
    value.withUnsafeBytes { object._table.setData(column, object._row, $0) }
  }
}

extension UUID: _Scalar, _Indexable, _PrimaryKey {
  public static var _rlmPropertyType: PropertyType { .UUID }
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
  public var _rlmStored: StoredValue { .uuid(fixed) }
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> UUID {
    UUID(Fixed16(object._table.fixed16(column, object._row)))
  }
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: UUID) {
    object._table.setFixed16(column, object._row, value.fixed)
  }
}

extension ObjectId: _Scalar, _Indexable, _PrimaryKey {
  public static var _rlmPropertyType: PropertyType { .objectId }
  public convenience init?(_rlm value: StoredValue) {
    guard case .objectId(let fixed) = value else { return nil }
    self.init(fixed)
  }
  convenience init(_ fixed: Fixed12) {
    var bytes = (fixed.high.bigEndian, fixed.low.bigEndian)
    self.init(bytes: withUnsafeBytes(of: &bytes) { $0.baseAddress! })
  }
  var fixed: Fixed12 {
    withUnsafeTemporaryAllocation(byteCount: 12, alignment: 8) { buffer in
      store(to: buffer.baseAddress!)
      return Fixed12(UnsafeRawPointer(buffer.baseAddress!))
    }
  }
  public static func _rlmDefaultValue() -> ObjectId { ObjectId.generate() }
  public var _rlmStored: StoredValue { .objectId(fixed) }
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> ObjectId {
    ObjectId(bytes: object._table.fixed12(column, object._row))
  }
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: ObjectId) {
    object._table.setFixed12(column, object._row, value.fixed)
  }
}

extension Decimal128: _Scalar {
  public static var _rlmPropertyType: PropertyType { .decimal128 }
  public convenience init?(_rlm value: StoredValue) {
    guard case .decimal128(let fixed) = value else { return nil }
    self.init(fixed)
  }
  convenience init(_ fixed: Fixed16) {
    var bytes = (fixed.high.bigEndian, fixed.low.bigEndian)
    self.init(bytes: withUnsafeBytes(of: &bytes) { $0.baseAddress! })
  }
  var fixed: Fixed16 {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { buffer in
      store(to: buffer.baseAddress!)
      return Fixed16(UnsafeRawPointer(buffer.baseAddress!))
    }
  }
  public var _rlmStored: StoredValue { .decimal128(fixed) }
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Decimal128 {
    Decimal128(bytes: object._table.fixed16(column, object._row))
  }
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Decimal128) {
    object._table.setFixed16(column, object._row, value.fixed)
  }
}
