import Foundation

/// Described classes that are put together one by one, as bindings do.
package struct NumberedSchema: Sendable {
  package private(set) var classes: [DescribedClass]

  package init(_ classes: [DescribedClass] = []) { self.classes = classes }

  /// Adds a class, which later properties and indexes belong to.
  package mutating func addClass(_ name: String, isEmbedded: Bool) {
    classes.append(DescribedClass(name, embedded: isEmbedded, []))
  }

  /// Adds a property to the last class.
  package mutating func add(_ property: DescribedProperty) throws(Refusal) {
    try checkHasClass()
    classes[classes.count - 1].properties.append(property)
  }

  /// Adds an index over several properties to the last class.
  package mutating func add(_ index: Index) throws(Refusal) {
    try checkHasClass()
    classes[classes.count - 1].indexes.append(index)
  }

  private func checkHasClass() throws(Refusal) {
    if classes.isEmpty {
      throw Refusal(
        .noSuchClass, "The schema has no class yet: add a class before its properties and indexes.")
    }
  }

  /// Throws `invalidSchema` with all problems when the classes cannot be stored together.
  package func check() throws(Refusal) {
    try Self.check(DescribedClass.problems(of: classes))
  }

  static func check(_ problems: [String]) throws(Refusal) {
    if problems.isEmpty { return }
    throw Refusal(
      .invalidSchema,
      "Schema validation failed due to the following errors:\n"
        + problems.map { "- \($0)" }.joined(separator: "\n"))
  }

  // MARK: JSON

  /// Decodes the JSON form: an array of classes.
  package init(json: UnsafeRawBufferPointer) throws(Refusal) {
    do {
      classes = try JSONDecoder().decode([DescribedClass].self, from: Data(json))
    } catch let error as DecodingError {
      throw Refusal(.badArgument, "The text is not the JSON form of a schema: \(Self.text(of: error))")
    } catch {
      throw Refusal(.badArgument, "The text is not the JSON form of a schema: \(error)")
    }
  }

  private static func text(of error: DecodingError) -> String {
    switch error {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  /// The JSON form, with the keys in alphabetical order.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Descriptions have only texts and truth values, which can always be encoded.
    return (try? encoder.encode(classes)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  // MARK: What there is

  /// Reads the classes of a file without opening a realm.
  ///
  /// - Parameter key: Nil or 64 bytes.
  package init(fileAt path: String, key: [UInt8]?) throws {
    try NumberedConfiguration.checkPath(path)
    try NumberedConfiguration.check(key: key)
    try FilesInUse.check(path)
    if RealmIdentity(path: path) == nil {
      throw Refusal(
        .fileNotFound, "Failed to open Realm file at path '\(path)': No such file or directory", path: path)
    }
    classes = try DescribedClass.classes(
      ofFileAt: URL(fileURLWithPath: path), encryptionKey: key.map { Data($0) })
  }

  /// Describes the classes of a realm, in the order of their numbers: as they were described when it was opened, and the
  /// others as they are in the file.
  package init(_ realm: NumberedRealm) throws(Refusal) {
    try realm.check()
    let core = realm.core
    let known = core.configuration.hasSchemaOfFile ? [] : core.schemas
    let catalogue = core.snapshot.catalogue
    classes = catalogue.tables.filter { !$0.isRemoved }.map { table in
      known.first { $0.className == table.name }.map { DescribedClass($0) }
        ?? DescribedClass(table, in: catalogue)
    }
  }
}
