import SwiftRuntime

// What classes declared by functions before there was `@Persisted`.
extension ClassSchema {
  /// Stops the program when such a function says something else than `@Persisted` does.
  func checkOldDeclarations() {
    if let name = (type as? RealmSwiftObject.Type)?.primaryKey(), primaryKey?.name != name {
      if property(named: name) == nil {
        trap("Primary key property '\(name)' does not exist on object '\(className)'")
      }
      trap(
        "'\(className).primaryKey()' names '\(name)', which is not declared as the primary key: write '@Persisted(primaryKey: true) var \(name)'."
      )
    }
    for name in (type as? RealmSwiftObject.Type)?.indexedProperties() ?? []
    where property(named: name)?.isIndexed != true {
      trap(
        "'\(className).indexedProperties()' names '\(name)', which is not declared as indexed: write '@Persisted(indexed: true) var \(name)'."
      )
    }
    let ignored =
      (type as? RealmSwiftObject.Type)?.ignoredProperties()
      ?? (type as? RealmSwiftEmbeddedObject.Type)?.ignoredProperties() ?? []
    for name in ignored where property(named: name) != nil {
      trap(
        "'\(className).ignoredProperties()' names '\(name)', which is stored: declare it without '@Persisted'."
      )
    }
  }

  /// How to declare the collections that a class without stored properties has, as the end of a message.
  static func adviceOnFields(of type: ObjectBase.Type) -> String {
    StoredField.all(of: type.init()).compactMap { field in
      guard field.type is any CollectionProperty.Type else { return nil }
      return
        " Write '@Persisted var \(field.name): \(field.type)' instead of 'let \(field.name) = \(field.type)()'."
    }.joined()
  }
}
