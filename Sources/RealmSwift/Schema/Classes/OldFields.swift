import SwiftRuntime
import Synchronization

/// The properties of a class that are declared as they were before `@Persisted`: no realm stores them.
struct OldFields {
  let className: String
  /// How to declare each of them.
  let advice: [String]

  /// Finds them by looking at an object of the class.
  ///
  /// In a class that has properties with `@Persisted` only collections and linking objects are taken for old declarations.
  /// Other properties of such a class are the program's own. Properties that the class ignores are left out.
  init(of type: ObjectBase.Type) {
    className = type._realmObjectName() ?? ClassName.unqualified(of: type)
    let ignored = Set(ClassSchema.ignoredProperties(of: type))
    // The fields of the base class come first.
    let fields = StoredField.all(of: type.init()).dropFirst(ObjectBase.fieldCount)
    let hasPersisted = fields.contains { $0.persistedType != nil }
    advice = fields.compactMap { field in
      if field.persistedType != nil || ignored.contains(field.name) || field.name.hasPrefix("$") {
        return nil
      }
      return Self.advice(on: field, onlyCollections: hasPersisted)
    }
  }

  private static func advice(on field: StoredField, onlyCollections: Bool) -> String? {
    let (name, type) = (field.name, field.type)
    if type is any CollectionProperty.Type {
      return "Write '@Persisted var \(name): \(type)' instead of 'let \(name) = \(type)()'."
    }
    if type is any LinkingObjectsProtocol.Type {
      return
        "Write '@Persisted(originProperty: \"…\") var \(name): \(type)' instead of 'let \(name) = LinkingObjects(fromType: …)'."
    }
    if onlyCollections || !(type is any _Persistable.Type) { return nil }
    return "Write '@Persisted var \(name): \(type)' instead of 'dynamic var \(name)'."
  }

  /// What follows in the message about a class without stored properties: how to declare its properties, and those of all
  /// other classes that realms know by default, so that one run of the program names them all.
  static func advice(on type: ObjectBase.Type) -> String {
    let own = OldFields(of: type).advice.map { " \($0)" }.joined()
    let others = ClassDiscovery.classes.filter { $0 != type }.map { OldFields(of: $0) }
      .filter { !$0.advice.isEmpty }.sorted { $0.className < $1.className }
    if own.isEmpty || others.isEmpty { return own }
    return own + "\nThese classes have such properties, too:"
      + others.map { "\n- '\($0.className)': \($0.advice.joined(separator: " "))" }.joined()
  }
}

extension ModelClasses {
  /// Logs, once for each class, which of its properties look like old declarations that no realm stores. All classes are in
  /// one message.
  ///
  /// No error: a class with `@Persisted` may have other properties for its own use.
  func warnOfOldFields() {
    if hasWarnedOfOldFields.exchange(true, ordering: .relaxed) { return }
    let classes = OldFields.unseen(schemas.filter { !$0.hasOnlyPersistedFields }.map(\.type))
    let found = classes.map { OldFields(of: $0) }.filter { !$0.advice.isEmpty }
    if found.isEmpty { return }
    let lines = found.map { "\n- '\($0.className)': \($0.advice.joined(separator: " "))" }.joined()
    Logger.shared.log(
      .warn,
      "These classes have properties that are not stored, since they are declared without '@Persisted'. Where that is meant, name them in 'ignoredProperties()'.\(lines)"
    )
  }
}

extension OldFields {
  private static let seen = Mutex<Set<ObjectIdentifier>>([])

  /// Returns the classes that were not visited before.
  fileprivate static func unseen(_ types: [ObjectBase.Type]) -> [ObjectBase.Type] {
    if types.isEmpty { return [] }
    return seen.withLock { seen in types.filter { seen.insert(ObjectIdentifier($0)).inserted } }
  }
}
