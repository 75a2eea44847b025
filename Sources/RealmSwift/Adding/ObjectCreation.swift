import Foundation
import Storage

/// One call of `create`: makes rows from values, nested ones included.
struct ObjectCreation {
  let realm: RealmCore
  let policy: Realm.UpdatePolicy
  /// The rows that objects in the value were copied to, so that cycles end and shared objects stay shared.
  private var copies: [CopyKey: Int] = [:]

  /// What is used in place of objects in memory that hold something live of the realm.
  private var replacements: [CopyKey: ObjectSource] = [:]

  /// How many objects are being written within each other.
  private var depth = 0
  /// Objects that were reached too deep: they have their rows, and keys, and get their other properties in the end. Values
  /// of any depth can be given on any stack.
  private var waiting: [Waiting] = []

  /// Whether a primary key that is there already and must not be ends up in `takenKey`, where it otherwise stops the program.
  private let reportsTakenKeys: Bool
  /// The first such key.
  private(set) var takenKey: ProgrammerError?

  private struct Waiting {
    let object: ObjectBase
    let classTable: ClassTable
    let source: ObjectSource
    let isNew: Bool
  }

  struct CopyKey: Hashable {
    /// The object in memory, or the table and the row of a managed one.
    var place: UInt
    var row: Int
    var target: Int

    init(_ object: ObjectBase, _ target: ClassTable) {
      if let state = object._state {
        place = UInt(bitPattern: state)
        row = object._row
      } else {
        place = UInt(bitPattern: ObjectIdentifier(object).hashValue)
        row = -1
      }
      self.target = target.table.number
    }
  }

  init(realm: RealmCore, policy: Realm.UpdatePolicy, reportsTakenKeys: Bool = false) {
    self.realm = realm
    self.policy = policy
    self.reportsTakenKeys = reportsTakenKeys
  }

  // MARK: Objects

  /// The object that a whole value describes. With a policy that updates objects, all that is live in the value is read
  /// before anything is written.
  mutating func object(_ classTable: ClassTable, fromWhole source: ObjectSource) -> ObjectBase {
    if policy == .error { return object(classTable, source) }
    let given = GivenContent.read(source, classTable)
    replacements = given.replacements
    return object(classTable, given.source)
  }

  /// The object that a value describes: a new one, or the existing one with the same primary key.
  mutating func object(_ classTable: ClassTable, _ source: ObjectSource) -> ObjectBase {
    let schema = classTable.schema
    var copyKey: CopyKey?
    if case .object(let original) = source, !classTable.isEmbedded {
      let key = CopyKey(original, classTable)
      if let row = copies[key] { return classTable.accessor(row) }
      copyKey = key
    }
    var fresh: ObjectBase?
    var isNumbered = false
    if let (property, column) = classTable.primaryKeyProperty {
      let key = property._withUnsafeGuaranteedRef {
        self.key($0, classTable.schema.primaryKeyIndex!, source, classTable, &fresh)
      }
      let table = classTable.table
      isNumbered = classTable.keySequence != nil && KeySequence.isUnset(key)
      if isNumbered {
        // No other object has the number that it will get.
      } else if let row = table.snapshot.firstRow(
        table: table.number, column: column, equalTo: IndexKey(key))
      {
        if let copyKey { copies[copyKey] = row }
        if policy == .error {
          refuse(.duplicatePrimaryKey(classTable.className, key: "\(key.scalarValue ?? "(null)")"))
          return classTable.accessor(row)
        }
        return update(classTable, row, source)
      } else {
        classTable.keySequence?.take(key)
      }
    } else if let key = classTable.compositeKey {
      let values = key.parts.map {
        self.key($0.property, schema.index(of: $0.property.name)!, source, classTable, &fresh)
      }
      if let row = key.row(values, in: realm.snapshot) {
        if let copyKey { copies[copyKey] = row }
        if policy == .error {
          refuse(
            .duplicatePrimaryKey(classTable.className, key: CompositeKey.text(values.map(\.scalarValue))))
          return classTable.accessor(row)
        }
        return update(classTable, row, source)
      }
    }
    let object = fresh ?? schema.type.init()
    let row = classTable.table.insertRow()
    if let copyKey { copies[copyKey] = row }
    classTable.adopt(object, row: row)
    // The primary key comes first, so that links back to the object find it.
    if isNumbered, let (property, column) = classTable.primaryKeyProperty {
      classTable.keySequence?.number(row)
      property._withUnsafeGuaranteedRef { $0.bind(Unmanaged.passUnretained(object).toOpaque(), column) }
    } else {
      for index in schema.keyIndices { fillProperty(index, object, classTable, source) }
    }
    write(object, classTable, source, isNew: true)
    return object
  }

  private mutating func refuse(_ error: ProgrammerError) {
    if !reportsTakenKeys { trap(error) }
    if takenKey == nil { takenKey = error }
  }

  /// Writes an existing row, now or in the end.
  mutating func update(_ classTable: ClassTable, _ row: Int, _ source: ObjectSource) -> ObjectBase {
    classTable.table.prefetch(row, columns: classTable.updatedColumns)
    let object = classTable.accessor(row)
    write(object, classTable, source, isNew: false)
    return object
  }

  private mutating func write(
    _ object: ObjectBase, _ classTable: ClassTable, _ source: ObjectSource, isNew: Bool
  ) {
    var source = source
    if !replacements.isEmpty, case .object(let object) = source,
      let replacement = replacements[CopyKey(object, classTable)]
    {
      source = replacement
    }
    if depth == Additions.depthLimit {
      waiting.append(Waiting(object: object, classTable: classTable, source: source, isNew: isNew))
      return
    }
    writeNow(object, classTable, source, isNew: isNew)
    if depth == 0 && !waiting.isEmpty { writeWaiting() }
  }

  /// Writes the objects that were reached too deep, which may make others wait.
  private mutating func writeWaiting() {
    var next = 0
    while next < waiting.count {
      let written = waiting[next]
      // An embedded object may have lost its place meanwhile.
      if written.object._isAlive {
        writeNow(written.object, written.classTable, written.source, isNew: written.isNew)
      }
      next += 1
    }
    waiting = []
  }

  @inline(__always)
  private mutating func writeNow(
    _ object: ObjectBase, _ classTable: ClassTable, _ source: ObjectSource, isNew: Bool
  ) {
    depth += 1
    if isNew { fill(object, classTable, source) } else { update(object, classTable, source) }
    depth -= 1
  }

  /// A property of the primary key: that of the value or, when it has none, of a new object.
  private func key(
    _ property: ClassProperty, _ index: Int, _ source: ObjectSource, _ classTable: ClassTable,
    _ fresh: inout ObjectBase?
  ) -> StoredValue {
    let schema = classTable.schema
    if let value = source.value(index, of: schema) {
      if let stored = property.coerceScalar(value) { return stored }
      trap(ValueError.invalid(value, property, schema))
    }
    let object = fresh ?? schema.type.init()
    fresh = object
    if let stored = property.storedScalar(object) { return stored }
    // The file will give it one.
    if classTable.keySequence != nil { return .null }
    trap(ValueError.missingValue(property, schema))
  }

  /// Writes a new row that has its key; what the value does not say comes from a new object of the class, which becomes
  /// the row's.
  private mutating func fill(_ object: ObjectBase, _ classTable: ClassTable, _ source: ObjectSource) {
    let schema = classTable.schema
    let base = Unmanaged.passUnretained(object).toOpaque()
    for index in schema.properties.indices where !schema.keyIndices.contains(index) {
      fillProperty(index, object, classTable, source)
    }
    for property in schema.computedProperties { property.bind(base, 0) }
  }

  @inline(__always)
  private mutating func fillProperty(
    _ index: Int, _ object: ObjectBase, _ classTable: ClassTable, _ source: ObjectSource
  ) {
    let column = classTable.columns[index]
    if column < 0 { return }
    let property = classTable.schema.properties[index]
    if let value = source.value(index, of: classTable.schema) {
      property.bind(Unmanaged.passUnretained(object).toOpaque(), column)
      write(object, classTable, property, column, value, isNew: true)
    } else {
      property.manage(object, column, isNew: true, skipsEqual: false)
    }
  }

  /// Writes what the value says to an existing row.
  private mutating func update(_ object: ObjectBase, _ classTable: ClassTable, _ source: ObjectSource) {
    let schema = classTable.schema
    guard case .dictionary(let values) = source, values.count < schema.properties.count else {
      classTable.updatedColumns = .max
      for index in schema.properties.indices {
        updateProperty(index, object, classTable, source.value(index, of: schema))
      }
      return
    }
    var hasOthers = false
    var columns: UInt64 = 0
    let skipsEqual = policy == .modified
    for (name, value) in values {
      guard let index = schema.index(of: name) else { continue }
      classTable.withProperty(index) { property, column in
        if !property.isSingleScalar {
          hasOthers = true
        } else if column >= 0, !property.isPrimaryKey {
          columns |= 1 << UInt64(column)
          if !property.write(object, column, value, skipsEqual: skipsEqual) {
            trap(ValueError.invalid(value, property, schema))
          }
        }
      }
    }
    classTable.updatedColumns = columns
    if hasOthers {
      // These may make new rows, whose numbers should not depend on the order of a dictionary.
      for (index, property) in schema.properties.enumerated() where !property.isSingleScalar {
        updateProperty(index, object, classTable, values[property.name])
      }
    }
  }

  @inline(__always)
  private mutating func updateProperty(
    _ index: Int, _ object: ObjectBase, _ classTable: ClassTable, _ value: Any?
  ) {
    let column = classTable.columns[index]
    // An embedded object may be deleted by what is written within it.
    guard let value, column >= 0, index != classTable.schema.primaryKeyIndex, object._isAlive else { return }
    write(object, classTable, classTable.schema.properties[index], column, value, isNew: false)
  }

  // MARK: Properties

  /// Writes a property. Stops the program when the value does not fit.
  mutating func write(
    _ object: ObjectBase, _ classTable: ClassTable, _ property: ClassProperty, _ column: Int, _ value: Any,
    isNew: Bool
  ) {
    let skipsEqual = !isNew && policy == .modified
    if property.isSingleScalar {
      if property.write(object, column, value, skipsEqual: skipsEqual) { return }
      trap(ValueError.invalid(value, property, classTable.schema))
    }
    let place = PropertyPlace(
      object: object, classTable: classTable, property: property, column: column, skipsEqual: skipsEqual,
      isNew: isNew)
    switch property.kind.collection {
    case .none where property.kind.type == .object: writeLink(place, value)
    case .none: writeMixed(place, value)
    case .list: writeList(place, value)
    case .set: writeSet(place, value)
    case .map: writeMap(place, value)
    }
  }

  private mutating func writeLink(_ place: PropertyPlace, _ value: Any) {
    let (table, row) = (place.table, place.row)
    guard let value = Coercion.unwrap(value) else {
      if !place.skipsEqual || table.link(place.column, row) != nil { table.setLink(place.column, row, nil) }
      return
    }
    guard let source = ObjectSource(value) else {
      // A value of a type that is stored as an embedded object.
      if place.property.write(place.object, place.column, value, skipsEqual: place.skipsEqual) { return }
      if let persisted = Coercion.persisted(value) { return writeLink(place, persisted) }
      trap(ValueError.invalid(value, place.property, place.classTable.schema))
    }
    let target = realm.linkTarget(table, place.column)
    if target.isEmbedded, place.skipsEqual, let old = table.link(place.column, row) {
      updateEmbedded(target, old, source)
      // What was written may lead back here, and have taken it away.
      if !place.object._isAlive || target.table.isAlive(old) { return }
    }
    let new = linkedRow(target, source)
    guard place.object._isAlive else { return discard([.link(table: target.table.number, row: new)]) }
    if !place.skipsEqual || table.link(place.column, row) != new { table.setLink(place.column, row, new) }
  }

  /// Writes an embedded object over the one that is there, whose place and identity stay.
  private mutating func updateEmbedded(_ target: ClassTable, _ row: Int, _ source: ObjectSource) {
    if case .object(let object) = source, object._state == target.table.state, object._row == row { return }
    source.checkCount(target.schema)
    _ = update(target, row, source)
  }

  /// The row that a link gets: that of an object of this realm, a copy of any other, or a new one.
  mutating func linkedRow(_ target: ClassTable, _ source: ObjectSource) -> Int {
    if case .object(let object) = source, object._realm === realm, object._state == target.table.state {
      if !object._isAlive { trap(.addingInvalidated) }
      if !target.isEmbedded { return object._row }
    }
    source.checkCount(target.schema)
    return self.object(target, source)._row
  }

  private mutating func writeMixed(_ place: PropertyPlace, _ value: Any) {
    guard let converted = mixed(value) else {
      trap(ValueError.invalid(value, place.property, place.classTable.schema))
    }
    let stored = converted.withinNesting(in: realm)
    guard place.object._isAlive else { return }
    if place.skipsEqual && stored.isExactly(place.table.value(place.column, place.row)) { return }
    place.table.setMixed(place.column, place.row, stored)
  }

  /// The stored form of any value in a mixed column; nil when there is none.
  ///
  /// - Parameter level: How many collections there are around the value.
  mutating func mixed(_ value: Any, level: Int = 0) -> StoredValue? {
    if let stored = Coercion.natural(value) { return stored }
    return NestedConversion<Any, StoredValue>.stored(value, level: level) { value, level in
      guard var value = Coercion.unwrap(value) else { return .single(.null) }
      if let mixed = value as? AnyRealmValue {
        guard let payload = mixed.payload else { return .single(.null) }
        value = payload
      }
      if let stored = Coercion.natural(value) { return .single(stored) }
      if let object = Coercion.object(value) { return mixedLink(to: object).map { .single($0) } }
      if !StoredValue.allowsNesting(level: level) { return .single(realm.refuseNesting()) }
      if let entries = Enumeration.entries(value) {
        for entry in entries { entry.key.checkKey() }
        return .dictionary(entries)
      }
      if Enumeration.isSet(value) { return nil }
      if let elements = Enumeration.elements(value) { return .list(elements) }
      return Coercion.persisted(value).flatMap(Coercion.natural).map { .single($0) }
    }
  }

  private mutating func mixedLink(to object: ObjectBase) -> StoredValue? {
    if let state = object._state, object._realm === realm {
      if !object._isAlive { trap(.addingInvalidated) }
      return .link(table: state.pointee.number, row: object._row)
    }
    let target = realm.classTable(of: object)
    if target.isEmbedded { return nil }
    return .link(table: target.table.number, row: self.object(target, .object(object))._row)
  }
}

/// A property of a managed object that is being written.
struct PropertyPlace {
  let object: ObjectBase
  let classTable: ClassTable
  let property: ClassProperty
  let column: Int
  /// Whether equal values are left alone.
  let skipsEqual: Bool
  /// Whether the row was just made.
  let isNew: Bool

  var table: Table { classTable.table }
  var row: Int { object._row }
  /// For messages.
  var name: String { "'\(classTable.className).\(property.name)'" }
}
