import Foundation
import Storage

// What properties accept, and how values get into rows.
extension NumberedRealm {
  /// Throws unless a single-valued property can hold a value. Whether the key may be written is not asked.
  package func checkAccepts(_ value: NumberedValue, _ number: Int, _ column: Int) throws(Refusal) {
    let kind = tables.pointee.classes[number].columns[column]
    if kind.collection != .none { throw wrongType(number, column, asked: value.typeName) }
    try checkAccepts(value, number, column, kind)
  }

  /// Throws unless a collection can hold a value as an element.
  package func checkAccepts(element value: NumberedValue, _ number: Int, _ column: Int) throws(Refusal) {
    try checkAccepts(value, number, column, tables.pointee.classes[number].columns[column])
  }

  @inline(__always)
  private func checkAccepts(
    _ value: NumberedValue, _ number: Int, _ column: Int, _ kind: NumberedColumn
  ) throws(Refusal) {
    switch value {
    case .null:
      // Lists and sets of links hold no nulls, although a single link may be null.
      let allowsNull = kind.collection == .none ? kind.isNullable : elementIsNullable(number, column)
      if !allowsNull { throw nullRefusal(number, column) }
    case .int where kind.type == .int, .bool where kind.type == .bool, .float where kind.type == .float,
      .double where kind.type == .double, .date where kind.type == .date,
      .objectId where kind.type == .objectId, .decimal128 where kind.type == .decimal128,
      .uuid where kind.type == .uuid:
      break
    case .string(let bytes) where kind.type == .string || kind.type == .mixed:
      if !NumberedText.isStorable(bytes) { throw unstorable(bytes, name(number, column)) }
    case .data(let bytes) where kind.type == .data || kind.type == .mixed:
      if bytes.count > NumberedText.sizeLimit { throw unstorable(bytes, name(number, column)) }
    case .object(let object) where kind.type == .link || kind.type == .mixed:
      try checkLink(to: object, number, column, kind)
    default:
      if kind.type != .mixed { throw wrongType(number, column, asked: value.typeName) }
    }
  }

  private func elementIsNullable(_ number: Int, _ column: Int) -> Bool {
    let stored = core.snapshot.catalogue.tables[number].columns[column]
    return stored.type == .mixed || stored.isNullable
  }

  private func checkLink(
    to object: NumberedObject, _ number: Int, _ column: Int, _ kind: NumberedColumn
  ) throws(Refusal) {
    let table = try checkedTable(of: object)
    if kind.type == .link && table.number != Int(kind.target) {
      throw Refusal(
        .wrongType,
        "Can't set object of type '\(className(table.number))' to property \(name(number, column)) of type '\(className(Int(kind.target)))'."
      )
    }
    if tables.pointee.classes[table.number].isEmbedded {
      throw Refusal(
        .embedded,
        "Can't set link to existing managed embedded object: make a new one in property \(name(number, column))."
      )
    }
  }

  private func nullRefusal(_ number: Int, _ column: Int) -> Refusal {
    Refusal(.isNull, "Property \(name(number, column)) does not accept null.")
  }

  /// The refusal of bytes that are no UTF-8, or too many.
  func unstorable(_ bytes: UnsafeRawBufferPointer, _ name: String) -> Refusal {
    if bytes.count > NumberedText.sizeLimit {
      return Refusal(
        .invalidValue,
        "A value of \(bytes.count) bytes for property \(name) is too large: the limit is \(NumberedText.sizeLimit) bytes."
      )
    }
    return Refusal(.invalidValue, "The text for property \(name) is not UTF-8.")
  }

  // MARK: Storing

  /// Writes an accepted value.
  @inline(__always)
  func store(_ value: NumberedValue, _ table: Table, _ column: Int, _ row: Int) {
    let type = tables.pointee.classes[table.number].columns[column].type
    if type == .mixed { return table.setMixed(column, row, value.stored) }
    switch value {
    case .null: if type == .link { table.setLink(column, row, nil) } else { table.setNull(column, row) }
    case .int(let number): table.setInteger(column, row, number)
    case .bool(let flag): table.setBool(column, row, flag)
    case .float(let number): table.setFloat(column, row, number)
    case .double(let number), .date(let number): table.setDouble(column, row, number)
    case .string(let bytes): table.setString(column, row, utf8: bytes)
    case .data(let bytes): table.setData(column, row, bytes)
    case .objectId(let id): table.setFixed12(column, row, id)
    case .decimal128(let fixed), .uuid(let fixed): table.setFixed16(column, row, fixed)
    case .object(let object): table.setLink(column, row, object.row)
    case .list, .map: break
    }
  }

  /// Gives a new row what a declaration without values has, in the properties that were not given.
  @inline(__always)
  func storeDefaults(_ number: Int, _ row: Int, isGiven: (Int) -> Bool) {
    let known = tables.pointee.classes[number]
    let table = known.table
    for column in 0..<known.columnCount where !isGiven(column) {
      let kind = known.columns[column]
      // Links, mixed values and collections of a new row are null and empty.
      if kind.isRemoved || kind.collection != .none || kind.type == .link || kind.type == .mixed { continue }
      if kind.isNullable {
        table.setNull(column, row)
      } else if kind.type == .int {
        table.setInteger(column, row, 0)
      } else {
        table.setValue(column, row, defaultValue(kind.type))
      }
    }
  }

  /// The value of a property that cannot be null and has none given.
  func defaultValue(_ type: ValueType) -> StoredValue {
    switch type {
    case .date: .date(Date().timeIntervalSinceReferenceDate)
    case .objectId: .objectId(ObjectId.generate().fixed)
    case .decimal128: .decimal128(Decimal128().fixed)
    case .uuid: .uuid(UUID().fixed)
    default: StoredValue.zero(of: type) ?? .null
    }
  }

  /// Whether a row has exactly a value already.
  func holds(_ value: NumberedValue, _ table: Table, _ column: Int, _ row: Int) -> Bool {
    let kind = tables.pointee.classes[table.number].columns[column]
    if kind.type == .mixed { return value.stored.isExactly(table.value(column, row)) }
    if kind.isNullable && table.isNull(column, row) { return value.isNull }
    switch value {
    case .null, .list, .map: return false
    case .int(let number): return table.integer(column, row) == number
    case .bool(let flag): return table.bool(column, row) == flag
    case .float(let number): return table.float(column, row).bitPattern == number.bitPattern
    case .double(let number), .date(let number):
      return table.double(column, row).bitPattern == number.bitPattern
    case .string(let bytes), .data(let bytes):
      return table.withBytes(column, row) { $0.elementsEqual(bytes) }
    case .objectId(let id): return table.read(column, row) { Fixed12($0.fixed12($1)) } == id
    case .decimal128(let fixed), .uuid(let fixed):
      return table.read(column, row) { Fixed16($0.fixed16($1)) } == fixed
    case .object(let object): return table.link(column, row) == object.row
    }
  }
}

extension NumberedValue {
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The name of the type in messages.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .objectId: "object id"
    case .decimal128: "decimal128"
    case .uuid: "uuid"
    case .object: "object"
    case .list: "list"
    case .map: "map"
    }
  }

  /// The value as the storage keeps it, with copies of its bytes.
  package var stored: StoredValue {
    switch self {
    case .null: .null
    case .int(let number): .int(number)
    case .bool(let flag): .bool(flag)
    case .float(let number): .float(number)
    case .double(let number): .double(number)
    case .string(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .data(let bytes): .data(Array(bytes))
    case .date(let seconds): .date(seconds)
    case .objectId(let id): .objectId(id)
    case .decimal128(let fixed): .decimal128(fixed)
    case .uuid(let fixed): .uuid(fixed)
    case .object(let object): .link(table: object.classNumber, row: object.row)
    case .list: .list([])
    case .map: .dictionary([])
    }
  }
}
