/// Names that generated classes and their properties cannot have: they mean something else to the compiler, or to the
/// program that uses the classes.
enum ReservedNames {
  /// Properties that the library's object classes and NSObject have. A stored property cannot override them.
  static let members: Set<String> = [
    "changes", "classForCoder", "debugDescription", "description", "hash", "hashValue", "isFrozen",
    "isInvalidated", "objectSchema", "observationInfo", "realm", "superclass",
    "_rlmDynamicElement", "_rlmDynamicValue", "_rlmReference", "_rlmRelocation",
  ]

  /// Types and modules that generated classes use, or that a program which uses the library is likely to use.
  static let types: Set<String> = modules.union(swift).union(foundation).union(library)

  private static let modules: Set<String> = ["Foundation", "RealmSwift", "Swift"]

  private static let swift: Set<String> = [
    "Actor", "AnyObject", "Array", "Bool", "Character", "Codable", "Collection", "Comparable", "Decodable",
    "Dictionary", "Double", "Encodable", "Equatable", "Error", "Float", "Hashable", "Hasher", "Identifiable",
    "Int", "Int16", "Int32", "Int64", "Int8", "KeyPath", "MainActor", "Never", "Optional", "Range", "Result",
    "Sendable", "Sequence", "Set", "String", "Substring", "UInt", "Void",
  ]

  private static let foundation: Set<String> = [
    "Data", "Date", "Decimal", "NSArray", "NSData", "NSDate", "NSDictionary", "NSError", "NSNull", "NSNumber",
    "NSObject", "NSPredicate", "NSSet", "NSString", "URL", "UUID",
  ]

  private static let library: Set<String> = [
    "AddableType", "AnyRealmCollection", "AnyRealmValue", "AsymmetricObject", "AsyncOpen",
    "AsyncOpenState", "AsyncOpenTask", "AsyncTransactionId", "AutoOpen", "BoundCollection", "BoundMap",
    "ChangeSequence", "CollectionElementMapper", "CustomPersistable", "Decimal128", "DeleteRule",
    "DescribedClass", "DescribedProperty", "DescribedSchema", "Distance", "DynamicObject",
    "EmbeddedObject", "FailableCustomPersistable", "GeoBox", "GeoCircle", "GeoPoint", "GeoPolygon",
    "GroupedObjects", "Index", "IndexedProperty", "KeypathSortable", "LinkingObjects",
    "LinkingObjectsProtocol", "List", "LogLevel", "Logger", "Map", "MapIndex", "Migration",
    "MigrationBlock", "MigrationObject", "MigrationObjectEnumerateBlock", "MigrationPlan", "MinMaxType",
    "MutableSet", "NotificationBlock", "NotificationToken", "Object", "ObjectAggregate", "ObjectBase",
    "ObjectChange", "ObjectGroup", "ObjectGroupKey", "ObjectId", "ObjectKeyIdentifable",
    "ObjectKeyIdentifiable", "ObjectSchema", "ObservedRealmObject", "ObservedResults",
    "ObservedSectionedResults", "OptionalCodingWrapper", "OptionalProtocol", "PersistableEnum",
    "Persisted", "Projected", "ProjectedCollection", "ProjectedPropertyChange", "Projection",
    "ProjectionObservable", "Property", "PropertyChange", "PropertyType", "Query", "RLMGeospatial",
    "RLMIterator", "RLMKeyValueIterator", "RLMMapIterator", "RLMSectionIterator",
    "RLMSectionedResultsIterator", "RankedObject", "Realm", "RealmCollection", "RealmCollectionBase",
    "RealmCollectionChange", "RealmCollectionValue", "RealmCore", "RealmEnum", "RealmFetchable",
    "RealmKeyedCollection", "RealmMapChange", "RealmOptional", "RealmProperty", "RealmSectionedResult",
    "RealmSectionedResultsChange", "RealmSubscribable", "RealmSwiftAsymmetricObject",
    "RealmSwiftEmbeddedObject", "RealmSwiftObject", "Results", "ResultsSection", "Schema",
    "SearchableResults", "SectionIterator", "SectionedResults", "SectionedResultsChange",
    "SectionedResultsIterator", "SingleMapEntry", "SortDescriptor", "SortableType", "StateRealmObject",
    "StoredValue", "StringOptions", "SyncConfiguration", "TextSearch", "TextSnippet", "ThreadConfined",
    "ThreadSafe", "ThreadSafeReference",
  ]
}
