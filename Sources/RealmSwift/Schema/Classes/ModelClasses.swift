import Foundation
import Storage
import Synchronization

/// The model classes that a realm is opened with, checked as a whole.
final class ModelClasses: Sendable {
  /// Sorted by class name.
  let schemas: [ClassSchema]
  private let byName: SchemasByName
  /// The errors in the classes as a whole, for the caller that opens a realm with them.
  let problems: [String]
  /// Classes that are left out because another one has their name.
  let namesakes: [ClassSchema]
  /// Whether `warnOfOldFields()` has been called.
  let hasWarnedOfOldFields = Atomic(false)

  /// All classes of the program that realms know by default. Of classes with the same name, the one that other classes link to, or
  /// the first: a program that uses another one names it in `objectTypes`.
  static let discovered = ModelClasses(discovered: ClassDiscovery.classes)

  /// A list of classes given by the program. Stops it when one of them cannot be stored, or links to a class
  /// that is missing from the list.
  convenience init(_ types: [ObjectBase.Type]) {
    self.init(schemas: Self.schemas(types))
    for (first, second) in zip(schemas, schemas.dropFirst()) where first.className == second.className {
      trap(Self.sameName(first, second))
    }
    let missing = missingTargets
    if !missing.isEmpty {
      trap("Invalid class subset list:\n" + missing.map { "- \($0)" }.joined(separator: "\n"))
    }
  }

  /// The classes of a file, as the program sees them that does not have them.
  init(stored schemas: [ClassSchema]) {
    self.schemas = schemas.sorted { $0.className < $1.className }
    byName = SchemasByName(self.schemas)
    problems = []
    namesakes = []
  }

  private convenience init(discovered types: [ObjectBase.Type]) {
    let all = Self.schemas(types)
    let targets = Self.linkTargets(of: all)
    var chosen: [ClassSchema] = []
    var namesakes: [ClassSchema] = []
    for schema in all {
      guard let other = chosen.last, other.className == schema.className else {
        chosen.append(schema)
        continue
      }
      let isLinkedAlone =
        targets[ObjectIdentifier(schema.type)] != nil && targets[ObjectIdentifier(other.type)] == nil
      namesakes.append(isLinkedAlone ? other : schema)
      if isLinkedAlone { chosen[chosen.count - 1] = schema }
    }
    for schema in namesakes {
      Logger.shared.log(
        .warn, "The class '\(String(reflecting: schema.type))' is left out: another one has its name.")
    }
    self.init(schemas: chosen, namesakes: namesakes)
  }

  /// - Parameter ownProblems: Of single classes. With them nothing else is looked for.
  init(schemas: [ClassSchema], namesakes: [ClassSchema] = [], ownProblems: [String] = []) {
    self.schemas = schemas
    self.namesakes = namesakes
    byName = SchemasByName(schemas)
    problems = ownProblems.isEmpty ? Self.problems(schemas, byName) : ownProblems
  }

  /// Each once, sorted by name; those with the same name by that of their module and type.
  private static func schemas(_ types: [ObjectBase.Type]) -> [ClassSchema] {
    var seen = NumberTable<ObjectBase.Type>()
    let unique = types.filter { type in
      defer { seen[ObjectIdentifier(type)] = type }
      return seen[ObjectIdentifier(type)] == nil
    }
    return unique.map { ClassSchema.of($0) }
      .sorted { first, second in
        if first.className != second.className { return first.className < second.className }
        return String(reflecting: first.type) < String(reflecting: second.type)
      }
  }

  /// The classes that properties link to.
  private static func linkTargets(of schemas: [ClassSchema]) -> NumberTable<ObjectBase.Type> {
    var targets = NumberTable<ObjectBase.Type>()
    for schema in schemas {
      for property in schema.properties {
        if let target = property.kind.objectType { targets[ObjectIdentifier(target)] = target }
      }
    }
    return targets
  }

  private static func sameName(_ first: ClassSchema, _ second: ClassSchema) -> String {
    "RLMObject subclasses with the same name cannot be included twice in the same target. Please make sure '\(String(reflecting: first.type))' and '\(String(reflecting: second.type))' have different names, or leave one of them out."
  }

  /// Why a class is not among these although it is one of the program's; nil when there is no such reason.
  func reasonForLeavingOut(_ type: ObjectBase.Type) -> String? {
    guard let left = namesakes.first(where: { $0.type == type }), let other = schema(named: left.className)
    else { return nil }
    return Self.sameName(other, left)
  }

  func schema(named name: String) -> ClassSchema? { byName[name] }

  func contains(_ type: ObjectBase.Type) -> Bool {
    schema(named: ClassSchema.of(type).className)?.type == type
  }
}
