import Foundation
import Storage

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
  let isEmbedded: Bool
  private let instanceSize: Int
  /// The bytes of an accessor without realm and row, its header included; nil when accessors must be made by
  /// `init`, because the class stores more than persisted properties.
  private let template: UnsafeMutableRawPointer?
  /// Properties whose collections an accessor keeps, to be dropped when it is used for another row.
  private let keptProperties: [ClassProperty]
  /// The reference counts of an object that has one strong reference, no unowned and no weak ones.
  private static let uniqueReference: UInt64 = 3
  private static let referenceCountOffset = 8

  init(realm: RealmCore, schema: ClassSchema, table: Table, description: TableDescription) {
    self.realm = realm
    self.schema = schema
    self.table = table
    self.description = description
    columns = schema.properties.map { property in
      description.column(named: property.columnName) ?? -1
    }
    isEmbedded = description.isEmbedded
    // The schema keeps the properties for ever.
    var stored = ContiguousArray<(property: Unmanaged<ClassProperty>, column: Int)>()
    for (property, column) in zip(schema.properties, columns) where column >= 0 {
      stored.insert((.passUnretained(property), column), at: property.isPrimaryKey ? 0 : stored.count)
    }
    storedProperties = stored
    declaredProperties = ContiguousArray(
      zip(schema.properties, columns).map { (property: .passUnretained($0), column: $1) })
    primaryKeyProperty = stored.first { $0.property.takeUnretainedValue().isPrimaryKey }
    keptProperties = schema.properties.filter(\.keepsInstance) + schema.computedProperties
    let type = schema.type
    // Class metadata without Objective-C: kind, superclass, flags and address point (4 bytes each), instance
    // size (4) and alignment mask (2).
    let metadata = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
    instanceSize = Int(metadata.load(fromByteOffset: 24, as: UInt32.self))
    let alignmentMask = Int(metadata.load(fromByteOffset: 28, as: UInt16.self))
    // What malloc aligns to is what the runtime asks malloc for, up to 16 bytes.
    if schema.hasOnlyPersistedFields && schema.computedProperties.isEmpty && alignmentMask < 16 {
      let object = type.init()
      let base = Unmanaged.passUnretained(object).toOpaque()
      for (property, column) in zip(schema.properties, columns) { property.bind(base, column) }
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: instanceSize, alignment: 16)
      bytes.copyMemory(from: base, byteCount: instanceSize)
      bytes.storeBytes(of: Self.uniqueReference, toByteOffset: Self.referenceCountOffset, as: UInt64.self)
      template = bytes
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
      // No initialiser runs: all that the object holds are numbers and nils, copied from the template. The
      // runtime frees objects with free(), so malloc() may make them.
      let memory = malloc(instanceSize)!
      memory.copyMemory(from: template, byteCount: instanceSize)
      object = Unmanaged<ObjectBase>.fromOpaque(memory).takeRetainedValue()
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
    for (property, column) in zip(schema.properties, columns) { property.bind(base, column) }
    for property in schema.computedProperties { property.bind(base, 0) }
  }

  /// Turns an accessor that nobody else holds into that of another row. Returns false when somebody does.
  ///
  /// Iteration makes one object serve many rows this way, unless the loop's body keeps it.
  @inline(__always)
  func reuse(_ object: Unmanaged<ObjectBase>, for row: Int) -> Bool {
    guard template != nil else { return false }
    // Any other state of the reference counts has another value.
    let memory = object.toOpaque()
    guard memory.load(fromByteOffset: Self.referenceCountOffset, as: UInt64.self) == Self.uniqueReference
    else { return false }
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
