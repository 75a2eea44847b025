import CSwiftRuntime
import LibC
package import Storage

// Reading single values. Each function throws `isNull` when the value is null.
extension NumberedRealm {
  /// Reads a value of a type after the checks that an access needs, in the order of their cost. Returns nil without a reason
  /// when it cannot be read.
  @inline(__always)
  private func readable<Value>(
    _ object: NumberedObject, _ column: Int, _ type: ValueType, _ value: (Table) -> Value
  ) -> Value? {
    guard let known = fastClass(object.classNumber),
      UInt(bitPattern: column) < UInt(bitPattern: known.pointee.columnCount)
    else { return nil }
    let kind = known.pointee.columns + column
    let table = Table(known.pointee.state)
    // `isAlive` is not inlined here by itself.
    guard kind.pointee.single == type.rawValue, object.row >= 0, object.row < table.rowLimit,
      table.hasAllRows || table.bool(-1, object.row)
    else { return nil }
    if kind.pointee.isNullable && table.isNull(column, object.row) { return nil }
    let value = value(table)
    return damage.isFound ? nil : value
  }

  /// Reads a value of a type, or throws why it cannot be read.
  @inline(__always)
  private func read<Value>(
    _ object: NumberedObject, _ column: Int, _ type: ValueType, _ value: (Table) -> Value
  ) throws(Refusal) -> Value {
    guard let value = readable(object, column, type, value) else { throw refusal(object, column, type) }
    return value
  }

  /// Returns an integer, or nil when `integer` says why it cannot be read.
  package func readableInteger(_ classNumber: Int, _ row: Int, _ column: Int) -> Int64? {
    readable(NumberedObject(classNumber: classNumber, row: row), column, .int) { $0.integer(column, row) }
  }

  package func integer(_ object: NumberedObject, _ column: Int) throws(Refusal) -> Int64 {
    try read(object, column, .int) { $0.integer(column, object.row) }
  }

  package func bool(_ object: NumberedObject, _ column: Int) throws(Refusal) -> Bool {
    try read(object, column, .bool) { $0.bool(column, object.row) }
  }

  package func float(_ object: NumberedObject, _ column: Int) throws(Refusal) -> Float {
    try read(object, column, .float) { $0.float(column, object.row) }
  }

  package func double(_ object: NumberedObject, _ column: Int) throws(Refusal) -> Double {
    try read(object, column, .double) { $0.double(column, object.row) }
  }

  /// Seconds since the reference date, 2001-01-01.
  package func date(_ object: NumberedObject, _ column: Int) throws(Refusal) -> Double {
    try read(object, column, .date) { $0.double(column, object.row) }
  }

  package func objectId(_ object: NumberedObject, _ column: Int) throws(Refusal) -> Fixed12 {
    try read(object, column, .objectId) { $0.read(column, object.row) { Fixed12($0.fixed12($1)) } }
  }

  package func decimal128(_ object: NumberedObject, _ column: Int) throws(Refusal) -> Fixed16 {
    try read(object, column, .decimal128) { $0.read(column, object.row) { Fixed16($0.fixed16($1)) } }
  }

  package func uuid(_ object: NumberedObject, _ column: Int) throws(Refusal) -> Fixed16 {
    try read(object, column, .uuid) { $0.read(column, object.row) { Fixed16($0.fixed16($1)) } }
  }

  /// The object at the end of a link.
  package func object(_ object: NumberedObject, _ column: Int) throws(Refusal) -> NumberedObject {
    let row = try read(object, column, .link) { Int($0.integer(column, object.row)) }
    return NumberedObject(
      classNumber: Int(tables.pointee.classes[object.classNumber].columns[column].target), row: row)
  }

  /// Returns the UTF-8 of a string, or nil when `string` says why it cannot be read.
  package func readableString(_ classNumber: Int, _ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    readable(NumberedObject(classNumber: classNumber, row: row), column, .string) {
      borrowedBytes($0, column, row)
    }
  }

  /// The UTF-8 of a string. The address is never nil. It is valid until the realm moves or is written to; of an encrypted
  /// file, until the next string or data is read on this thread.
  package func string(_ object: NumberedObject, _ column: Int) throws(Refusal) -> UnsafeRawBufferPointer {
    try read(object, column, .string) { borrowedBytes($0, column, object.row) }
  }

  /// The bytes of data, which are valid as those of a string are.
  package func data(_ object: NumberedObject, _ column: Int) throws(Refusal) -> UnsafeRawBufferPointer {
    try read(object, column, .data) { borrowedBytes($0, column, object.row) }
  }

  @inline(__always)
  private func borrowedBytes(_ table: Table, _ column: Int, _ row: Int) -> UnsafeRawBufferPointer {
    if isEncrypted { return decryptedBytes(table, column, row) }
    let bytes = table.bytes(column, row)
    return bytes.baseAddress == nil ? BytesOfThread.empty : bytes
  }

  @inline(never)
  private func decryptedBytes(_ table: Table, _ column: Int, _ row: Int) -> UnsafeRawBufferPointer {
    table.withBytes(column, row) { BytesOfThread.copy($0) }
  }

  // MARK: Any type

  /// A single value of any type. A nested list or map of a mixed value comes without its elements: only its kind is meant.
  package func value(_ object: NumberedObject, _ column: Int) throws(Refusal) -> StoredValue {
    let kind = try checkedColumn(object.classNumber, column)
    if kind.collection != .none { throw wrongType(object.classNumber, column, asked: "single value") }
    let table = try checkedTable(of: object)
    let value: StoredValue
    if kind.type == .mixed, !table.isNull(column, object.row) {
      value = table.withBytes(column, object.row) { bytes in
        let view = MixedView(bytes)
        return view.isList ? .list([]) : view.isDictionary ? .dictionary([]) : view.value
      }
    } else {
      value = table.value(column, object.row)
    }
    try checkDamage()
    return value
  }
}

/// Memory of each thread for bytes of encrypted files, which stay decrypted only while they are being read.
private final class BytesOfThread {
  private static let local = ThreadLocal { BytesOfThread() }
  // Never changed and never freed.
  nonisolated(unsafe) static let empty = UnsafeRawBufferPointer(
    start: UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)), count: 0)

  private var memory: UnsafeMutableRawBufferPointer = .allocate(byteCount: 256, alignment: 16)

  deinit {
    clear()
    memory.deallocate()
  }

  /// What was decrypted does not stay in memory that is freed.
  private func clear() { explicit_bzero(memory.baseAddress!, memory.count) }

  @inline(never)
  static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let own = local.value
    if bytes.count > own.memory.count {
      own.clear()
      own.memory.deallocate()
      own.memory = .allocate(byteCount: bytes.count + bytes.count / 2, alignment: 16)
    }
    own.memory.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(rebasing: own.memory[..<bytes.count])
  }
}
