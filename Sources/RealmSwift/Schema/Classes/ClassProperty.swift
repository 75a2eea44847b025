import Storage

/// One property of a model class, or of a class of a file, with access to it in any object of the class.
///
/// The access knows the property's Swift type; here it is hidden, so that objects can be added, created and described
/// property by property. A class and no structure, since tables hold their properties without counting references, which
/// takes an `Unmanaged`.
final class ClassProperty {
  let name: String
  let columnName: String
  let kind: _PropertyKind
  private(set) var isPrimaryKey: Bool
  private(set) var isIndexed: Bool
  /// Whether the class says that no two objects have the same value, or that they may; nil when it says nothing.
  private(set) var choosesUnique: Bool?
  /// Whether the words of the text are indexed.
  let isFullText: Bool
  /// Whether the class says that the file numbers the property, or that it does not; nil when it says nothing.
  let choosesIncrement: Bool?
  /// Whether clients that synchronise the property send differences.
  let isCounter: Bool
  /// What the class says of deletions; nil when it says nothing.
  let deleteRule: LinkRule?
  /// For linking objects, the property of the other class.
  let originProperty: String?
  /// Where the property lies in an object, in bytes from its address; 0 for properties of dynamic objects.
  let offset: Int
  /// The column of a property of dynamic objects; nil where each realm has its own.
  let column: Int?
  let access: any PropertyAccess.Type

  init(
    name: String, columnName: String, kind: _PropertyKind, attributes: UInt16, originProperty: String?,
    offset: Int = 0, column: Int? = nil, access: any PropertyAccess.Type
  ) {
    self.name = name
    self.columnName = columnName
    var kind = kind
    kind.isOptional = kind.isNullable
    self.kind = kind
    isPrimaryKey = attributes & PersistedAttributes.primaryKey != 0
    isIndexed = attributes & PersistedAttributes.indexed != 0 || isPrimaryKey
    isFullText = attributes & PersistedAttributes.fullText != 0
    choosesIncrement =
      attributes & PersistedAttributes.choosesIncrement == 0
      ? nil : attributes & PersistedAttributes.autoIncrement != 0
    choosesUnique =
      attributes & PersistedAttributes.choosesUnique == 0
      ? nil : attributes & PersistedAttributes.unique != 0
    isCounter = attributes & PersistedAttributes.counter != 0
    deleteRule = PersistedAttributes.deleteRule(attributes)
    self.originProperty = originProperty
    self.offset = offset
    self.column = column
    self.access = access
    isSingleScalar = kind.collection == .none && kind.type != .object && kind.type != .any
  }

  /// Makes the property the primary key, as the class's `primaryKey()` says. Only before other code knows the class.
  func becomePrimaryKey() {
    isPrimaryKey = true
    isIndexed = true
  }

  /// What the class says of the property in its list of indexes. Before the class is known to others.
  func addIndex(isUnique: Bool) {
    if isUnique { choosesUnique = true } else { isIndexed = true }
  }

  /// Whether the property has a column.
  var isStored: Bool { kind.type != .linkingObjects }
  /// Whether it holds one value that is neither a link nor a mixed one.
  let isSingleScalar: Bool
}
