import Storage
import SwiftRuntime

/// One class in one realm: which column each property has, and how to make accessors quickly.
final class ClassTable {
  unowned(unsafe) let realm: RealmCore
  let schema: ClassSchema
  let table: Table
  /// For each stored property of the class, its column.
  let columns: [Int]
  /// The columns in the order of the catalogue.
  let description: TableDescription
  /// The properties that have a column in the file, with it; the primary key first, so that links back to an
  /// object that is being added find it.
  private let storedProperties: ContiguousArray<(property: Unmanaged<ClassProperty>, column: Int)>
  /// The same in the order of the class, with -1 for a property that has no column.
  private let declaredProperties: ContiguousArray<(property: Unmanaged<ClassProperty>, column: Int)>
  /// The primary key and its column.
  let primaryKeyProperty: (property: Unmanaged<ClassProperty>, column: Int)?
  /// The primary key when it has several properties.
  let compositeKey: CompositeKey?
  /// Where the primary keys of new objects come from that have none; nil when the file does not number the class.
  private(set) var keySequence: KeySequence?
  let isEmbedded: Bool
  /// The places, among the stored properties, of those that hold more than one scalar: links, collections and mixed values.
  let compoundProperties: [Int]
  /// A bit for each of the first 64 columns that the last update from a dictionary wrote to. The next one mostly writes to
  /// the same.
  @exclusivity(unchecked) var updatedColumns: UInt64 = 0
  /// An accessor without realm and row; nil when accessors must be made by `init`, because the class stores more than
  /// persisted properties, or the runtime is not the one that is known.
  private let template: ObjectTemplate?
  /// Properties whose collections an accessor keeps, to be dropped when it is used for another row.
  private let keptProperties: [ClassProperty]

  /// The class that the links of a property lead to.
  func linkTarget(of property: ClassProperty) -> ClassTable {
    realm.linkTarget(table, columns[schema.index(of: property.name)!])
  }

  /// Whether keys are numbered may change while the file is open.
  func followSequence(in catalogue: Catalogue) {
    keySequence = Self.keySequence(primaryKeyProperty, table, catalogue.tables[table.number])
  }

  private static func keySequence(
    _ primaryKey: (property: Unmanaged<ClassProperty>, column: Int)?, _ table: Table,
    _ description: TableDescription
  ) -> KeySequence? {
    primaryKey.flatMap { KeySequence(table, $0.column, $0.property, description) }
  }

  init(realm: RealmCore, schema: ClassSchema, table: Table, description: TableDescription) {
    self.realm = realm
    self.schema = schema
    self.table = table
    self.description = description
    columns = schema.properties.map { property in
      description.column(named: property.columnName) ?? -1
    }
    isEmbedded = description.isEmbedded
    compoundProperties = schema.properties.indices.filter { [columns] in
      columns[$0] >= 0 && !schema.properties[$0].isSingleScalar
    }
    let compositeKey = CompositeKey(schema, columns: columns, table: table, description: description)
    self.compositeKey = compositeKey
    // The schema keeps the properties for ever.
    var stored = ContiguousArray<(property: Unmanaged<ClassProperty>, column: Int)>()
    for (property, column) in zip(schema.properties, columns) where column >= 0 {
      let isKey = property.isPrimaryKey || compositeKey?.contains(property) ?? false
      stored.insert((.passUnretained(property), column), at: isKey ? 0 : stored.count)
    }
    storedProperties = stored
    declaredProperties = ContiguousArray(
      zip(schema.properties, columns).map { (property: .passUnretained($0), column: $1) })
    primaryKeyProperty = stored.first { $0.property.takeUnretainedValue().isPrimaryKey }
    keySequence = Self.keySequence(primaryKeyProperty, table, description)
    keptProperties = schema.properties.filter(\.keepsInstance) + schema.computedProperties
    let type = schema.type
    // Dynamic objects hold nothing for their linking objects.
    let isPlain = schema.computedProperties.isEmpty || schema.isDescribed
    if schema.hasOnlyPersistedFields && isPlain && ObjectTemplate.allows(type) {
      let object = type.init()
      let base = Unmanaged.passUnretained(object).toOpaque()
      for (property, column) in zip(schema.properties, columns) { property.bind(base, column) }
      template = ObjectTemplate(object)
    } else {
      template = nil
    }
  }

  deinit {
    template?.deallocate()
  }

  var className: String { schema.className }

  /// The column of the primary key.
  var primaryKeyColumn: Int? { primaryKeyProperty?.column }

  /// Calls the body with each property that has a column in the file, the primary key first.
  @inline(__always)
  func forEachStoredProperty(_ body: (ClassProperty, Int) -> Void) {
    storedProperties.withUnsafeBufferPointer { properties in
      for stored in properties { stored.property._withUnsafeGuaranteedRef { body($0, stored.column) } }
    }
  }

  /// Calls the body with the stored property at an index of the class, and its column or -1.
  @inline(__always)
  func withProperty<Result>(_ index: Int, _ body: (ClassProperty, Int) -> Result) -> Result {
    let (property, column) = declaredProperties[index]
    return property._withUnsafeGuaranteedRef { body($0, column) }
  }

  @inline(__always)
  func forEachComputedProperty(_ body: (ClassProperty) -> Void) {
    if schema.computedProperties.isEmpty { return }
    for property in schema.computedProperties { body(property) }
  }

  /// Makes a live object for a row.
  func accessor(_ row: Int) -> ObjectBase {
    let object: ObjectBase
    if let template {
      // No initialiser runs: all that the object holds are numbers and nils, copied from the template.
      object = Unmanaged<ObjectBase>.fromOpaque(template.makeObject()).takeRetainedValue()
    } else {
      object = schema.type.init()
      bindProperties(object)
    }
    object._realm = realm
    attach(object, row)
    return object
  }

  /// Gives an object its row.
  @inline(__always)
  private func attach(_ object: ObjectBase, _ row: Int) {
    object._state = table.state
    object._row = row
    object._stamp = table.state.pointee.vanishStamp
  }

  /// Makes all properties views of their columns.
  func bindProperties(_ object: ObjectBase) {
    let base = Unmanaged.passUnretained(object).toOpaque()
    declaredProperties.withUnsafeBufferPointer { properties in
      for declared in properties {
        declared.property._withUnsafeGuaranteedRef { $0.bind(base, declared.column) }
      }
    }
    forEachComputedProperty { $0.bind(base, 0) }
  }

  /// Turns an accessor without other references into that of another row. Returns false if there are other references.
  ///
  /// Iteration makes one object serve many rows this way, unless the loop's body keeps it.
  @inline(__always)
  func reuse(_ object: Unmanaged<ObjectBase>, for row: Int) -> Bool {
    guard template != nil else { return false }
    let memory = object.toOpaque()
    guard ReferenceCounts.isUnique(memory) else { return false }
    object._withUnsafeGuaranteedRef { object in
      object._row = row
      object._stamp = table.state.pointee.vanishStamp
    }
    if !keptProperties.isEmpty {
      for property in keptProperties { property.reset(memory) }
    }
    return true
  }

  /// Makes an object in memory the owner of a row, without touching its properties yet.
  func adopt(_ object: ObjectBase, row: Int) {
    object._realm = realm
    attach(object, row)
  }
}
