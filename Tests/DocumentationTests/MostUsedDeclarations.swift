import Testing

/// The declarations that programs use most, each of which has a sample in its documentation comment.
enum MostUsedDeclarations {
  struct Declaration: Sendable, CustomTestStringConvertible {
    /// The file in the folder of the module.
    let file: String
    /// A part of the first line of the declaration.
    let text: String

    var testDescription: String { text }
  }

  static let all: [Declaration] = byFile.flatMap { file, texts in
    texts.map { Declaration(file: file, text: $0) }
  }

  private static let byFile: KeyValuePairs<String, [String]> = [
    "Realm/Realm.swift": ["struct Realm", "func refresh"],
    "Opening/Realm+Initialisers.swift": [
      "init(queue", "init(",
      "func performMigration", "func schemaVersionAtURL",
    ],
    "Opening/Realm+AsyncInitialisers.swift": ["init<A: Actor>", "static func open"],
    "Opening/Realm+Copying.swift": ["func writeCopy(toFile"],
    "Opening/Realm+Compaction.swift": ["static func compact"],
    "Opening/RealmFiles.swift": ["static func deleteFiles"],
    "Realm/Configuration.swift": [
      "struct Configuration", "static var defaultConfiguration", "var encryptionKey", "var migrationBlock",
      "var objectTypes", "var shouldCompactOnLaunch",
    ],
    "Realm/RealmError.swift": ["struct Error"],
    "Realm/Realm+Diagnostics.swift": ["struct Diagnostics"],
    "Realm/Realm+Reading.swift": ["func objects", "func object<", "func dynamicObjects"],
    "Realm/Realm+Deleting.swift": ["func delete(", "func delete<Element", "func deleteAll"],
    "Adding/Realm+Adding.swift": ["func add(", "func create<"],
    "JSON/Realm+JSON.swift": ["func importJSON"],
    "Transactions/Realm+Writing.swift": [
      "func write<", "func beginWrite", "func commitWrite", "func cancelWrite",
    ],
    "Transactions/Realm+AsyncWrites.swift": ["func writeAsync"],
    "Transactions/Realm+TaskWrites.swift": ["func asyncWrite"],
    "Freezing/Realm+Freezing.swift": ["func freeze()"],
    "Freezing/Freezing+Objects.swift": ["func freeze()", "func thaw()"],
    "Freezing/ThreadSafe.swift": ["class ThreadSafe"],
    "Freezing/ThreadSafeReference.swift": ["struct ThreadSafeReference", "func resolve"],
    "Objects/Object.swift": [
      "class Object", "class EmbeddedObject", "convenience init(value", "func isSameObject",
    ],
    "Dynamic/DynamicObject.swift": ["class DynamicObject"],
    "Properties/Persisted.swift": ["struct Persisted"],
    "Properties/DeleteRule.swift": ["enum DeleteRule"],
    "Properties/PersistableEnum.swift": ["protocol PersistableEnum"],
    "Properties/CustomPersistable.swift": [
      "protocol CustomPersistable", "protocol FailableCustomPersistable",
    ],
    "Schema/Index.swift": ["struct Index"],
    "Schema/Migration/Migration.swift": ["class Migration", "func enumerateObjects", "func renameProperty"],
    "Collections/ListSetMap/List.swift": ["class List"],
    "Collections/ListSetMap/List+Mutation.swift": ["func append("],
    "Collections/ListSetMap/MutableSet.swift": ["class MutableSet", "func insert("],
    "Collections/ListSetMap/Map.swift": ["class Map"],
    "Collections/Results/LinkingObjects.swift": ["struct LinkingObjects"],
    "Collections/Results/Results.swift": ["struct Results"],
    "Collections/Aggregates/CollectionAggregates.swift": [
      "func min<", "func max<", "func sum<", "func average<",
    ],
    "Queries/RealmCollection+Queries.swift": [
      "func `where`", "func filter(_ predicateFormat", "func sorted<", "func distinct",
    ],
    "TypedQueries/Query.swift": ["struct Query"],
    "TypedQueries/Query+Comparisons.swift": ["func contains(", "func `in`"],
    "TypedQueries/Query+Strings.swift": ["func contains", "func starts", "func ends"],
    "TypedQueries/Query+FullText.swift": ["func fullTextSearch"],
    "Geospatial/Query+Geospatial.swift": ["func geoWithin"],
    "Sections/RealmCollection+Sections.swift": ["func sectioned"],
    "Grouping/RealmCollection+Grouping.swift": ["func grouped"],
    "Observation/RealmCollection+Observing.swift": ["func observe"],
    "Observation/Object+Observing.swift": ["func observe"],
    "Observation/Realm+Observing.swift": ["func observe"],
    "Observation/ChangeSequence.swift": ["struct ChangeSequence", "var changes"],
    "Observation/NotificationToken.swift": ["class NotificationToken"],
    "Projections/Projection.swift": ["class Projection"],
    "Projections/Projected.swift": ["struct Projected"],
    "Types/AnyRealmValue.swift": ["enum AnyRealmValue"],
    "Types/ObjectId.swift": ["class ObjectId"],
    "Decimals/Decimal128.swift": ["class Decimal128"],
    "UI/ObservedResults.swift": ["struct ObservedResults"],
    "UI/ObservedRealmObject.swift": ["struct ObservedRealmObject"],
    "Logging/Logger.swift": ["class Logger"],
  ]
}
