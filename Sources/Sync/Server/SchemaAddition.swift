/// What a server lacks of the classes of a file, and of the functions and triggers of this version. The schema only grows: nothing
/// is removed, and no table is changed in another way.
package struct SchemaAddition: Sendable {
  /// The classes that the server does not have.
  package private(set) var classes: [SyncClass] = []
  /// The properties that the server does not have of classes that it has.
  package private(set) var properties: [(className: String, property: SyncProperty)] = []
  /// The lists, sets and maps that the server does not have of classes that it has.
  package private(set) var collections: [(className: String, collection: SyncCollection)] = []
  /// Whether the functions and triggers of the server are others than those of this version, so that all are replaced.
  package private(set) var replacesRoutines = false
  /// The statements that add and replace them.
  package private(set) var statements: [String] = []
  /// The classes that the server has with the statements.
  private var present: [SyncClass] = []

  /// Whether the server has everything.
  package var isEmpty: Bool { statements.isEmpty }

  /// Compares the classes of a file with those of a server.
  ///
  /// - Throws: What cannot be added: a property with another type than the server's, another key, a counter of a property that
  ///   the server has without counting, a routing property of a class that the server has.
  package init(_ model: SyncModel, to installed: InstalledSchema) throws(SyncRefusal) {
    let schema = ServerSchema(model, schema: installed.schema)
    var reasons = readPresent(installed)
    var number = installed.classes.values.max() ?? 0
    for item in model.classes {
      guard installed.classes[item.name] != nil else {
        number += 1
        classes.append(item)
        present.append(item)
        statements += schema.addClass(item, number: number)
        continue
      }
      guard let index = present.firstIndex(where: { $0.name == item.name }) else { continue }
      var known = present[index]
      reasons += Self.differences(item, known) + Self.missingRoles(item, known)
      for property in item.properties where known[property.name] == nil {
        add(property, to: &known, schema)
      }
      for collection in item.collections
      where !known.collections.contains(where: { $0.name == collection.name }) {
        add(collection, to: &known, schema)
      }
      present[index] = known
    }
    guard reasons.isEmpty else { throw SyncRefusal(reasons) }
    if !statements.isEmpty || replacesRoutines { complete(installed) }
  }

  /// Finds the classes of the server, and whether their functions and triggers are those of this version.
  private mutating func readPresent(_ installed: InstalledSchema) -> [SyncRefusal.Reason] {
    var reasons: [SyncRefusal.Reason] = []
    for name in installed.classes.sorted(by: { $0.value < $1.value }).map(\.key) {
      if let item = installed.serverClass(name) {
        present.append(item)
      } else {
        reasons.append(
          .init(
            .newerServer,
            "The server has '\(name)' with types that this version does not know: update the program."))
      }
    }
    if let version = installed.routinesVersion, version > ServerSchema.routinesVersion {
      reasons.append(
        .init(
          .newerServer,
          "The server has functions of version \(version), and this program has version "
            + "\(ServerSchema.routinesVersion): update the program."))
    }
    let schema = ServerSchema(SyncModel(classes: present), schema: installed.schema)
    replacesRoutines =
      installed.routinesVersion != ServerSchema.routinesVersion || installed.routines != schema.routinesHash
    return reasons
  }

  /// Puts what concerns the whole server around the statements of classes.
  private mutating func complete(_ installed: InstalledSchema) {
    let schema = ServerSchema(SyncModel(classes: present), schema: installed.schema)
    // Where the statements are executed as a script.
    var beginning = [ServerSchema.lock] + installed.columnAdditions
    var end: [String] = []
    if replacesRoutines {
      beginning += ServerSchema.formerRoutines + schema.sharedRoutines
      end = schema.classRoutines + [schema.raiseEpoch]
    }
    statements = beginning + statements + end + [schema.routinesNote]
  }

  private mutating func add(_ property: SyncProperty, to present: inout SyncClass, _ schema: ServerSchema) {
    var added = property
    added.number = present.lastNumber + 1
    present.properties.append(added)
    properties.append((present.name, added))
    statements += schema.addProperty(added, to: present)
  }

  private mutating func add(
    _ collection: SyncCollection, to present: inout SyncClass, _ schema: ServerSchema
  ) {
    var added = collection
    added.number = present.lastNumber + 1
    present.collections.append(added)
    collections.append((present.name, added))
    statements += schema.addCollection(added, to: present)
  }

  private static func differences(_ item: SyncClass, _ present: SyncClass) -> [SyncRefusal.Reason] {
    var reasons: [SyncRefusal.Reason] = []
    if item.key.name != present.key.name || item.key.type != present.key.type {
      reasons.append(
        .init(
          .changedKey,
          "The primary key of '\(item.name)' is '\(item.key.name)' (\(item.key.type.name)), and on the server "
            + "'\(present.key.name)' (\(present.key.type.name)): use a new class instead."))
    }
    let (new, old) = (texts(item), texts(present))
    for name in (item.properties.map(\.name) + item.collections.map(\.name)) {
      guard let there = old[name], let here = new[name], here != there else { continue }
      reasons.append(
        .init(
          .changedType,
          "'\(item.name).\(name)' is \(here), and on the server \(there): add a new property instead."))
    }
    return reasons
  }

  /// Returns which counters the server has as other properties, and which routing properties its departures lack.
  private static func missingRoles(_ item: SyncClass, _ present: SyncClass) -> [SyncRefusal.Reason] {
    var reasons: [SyncRefusal.Reason] = []
    for property in item.properties {
      let (name, there) = ("'\(item.name).\(property.name)'", present[property.name])
      if property.isRouting, there?.isRouting != true {
        reasons.append(
          .init(
            .routing,
            "\(name) is \(there == nil ? "new" : "no routing property") on the server, whose departures of "
              + "'\(item.name)' lack it: leave it out of the routing properties, or use a new class."))
      }
      if property.isCounter, there?.isCounter == false {
        reasons.append(
          .init(
            .counter,
            "\(name) is no counter on the server: add a new property that is a counter instead, or leave it out of "
              + "the counters."))
      }
    }
    return reasons
  }

  /// What the properties and collections of a class are, by their names.
  private static func texts(_ item: SyncClass) -> [String: String] {
    var texts: [String: String] = [:]
    for property in item.properties { texts[property.name] = text(property) }
    for collection in item.collections {
      let values = (collection.isOptional ? "optional " : "required ") + collection.element.name
      texts[collection.name] =
        "a \(collection.kindName) of \(values)" + (collection.target.map { " linking to '\($0)'" } ?? "")
    }
    return texts
  }

  private static func text(_ property: SyncProperty) -> String {
    if let target = property.target { return "a link to '\(target)'" }
    return (property.isOptional ? "an optional " : "a required ") + property.type.name
  }
}
