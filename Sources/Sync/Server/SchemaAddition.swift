/// What a server lacks of the classes of a file. The schema only grows: nothing is removed or changed.
package struct SchemaAddition: Sendable {
  /// The classes that the server does not have.
  package private(set) var classes: [SyncClass] = []
  /// The properties that the server does not have of classes that it has.
  package private(set) var properties: [(className: String, property: SyncProperty)] = []
  /// The statements that add both.
  package private(set) var statements: [String] = []

  /// Whether the server has everything.
  package var isEmpty: Bool { classes.isEmpty && properties.isEmpty }

  /// Compares the classes of a file with those of a server.
  ///
  /// - Throws: What cannot be added: a property with another type than the server's, another key.
  package init(_ model: SyncModel, to installed: InstalledSchema) throws(SyncRefusal) {
    let schema = ServerSchema(model, schema: installed.schema)
    var reasons: [SyncRefusal.Reason] = []
    var number = installed.classes.values.max() ?? 0
    for item in model.classes {
      guard installed.classes[item.name] != nil else {
        number += 1
        classes.append(item)
        statements += schema.addClass(item, number: number)
        continue
      }
      guard var present = installed.serverClass(item.name) else {
        reasons.append(
          .init(
            .changedType,
            "The server has '\(item.name)' with types that this version does not know: update the program."))
        continue
      }
      reasons += Self.differences(item, present)
      for property in item.properties where present[property.name] == nil {
        add(property, to: &present, schema)
      }
    }
    guard reasons.isEmpty else { throw SyncRefusal(reasons) }
  }

  private mutating func add(_ property: SyncProperty, to present: inout SyncClass, _ schema: ServerSchema) {
    var added = property
    added.number = (present.properties.map(\.number).max() ?? 0) + 1
    // The departures of the class have been made without it.
    added.isRouting = false
    present.properties.append(added)
    properties.append((present.name, added))
    statements += schema.addProperty(added, to: present)
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
    for property in item.properties {
      guard let other = present[property.name], other.number > 0 else { continue }
      let (new, old) = (text(property), text(other))
      if new != old {
        reasons.append(
          .init(
            .changedType,
            "'\(item.name).\(property.name)' is \(new), and on the server \(old): add a new property instead."
          ))
      }
    }
    return reasons
  }

  private static func text(_ property: SyncProperty) -> String {
    (property.isOptional ? "an optional " : "a required ") + property.type.name
  }
}
