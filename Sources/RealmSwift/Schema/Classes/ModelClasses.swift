import Foundation
import Storage
import Synchronization

/// The model classes that a realm is opened with, checked as a whole.
final class ModelClasses: Sendable {
  /// Sorted by class name.
  let schemas: [ClassSchema]
  private let byName: [String: Int]
  /// What is wrong with the classes as a whole, for the one who opens a realm with them.
  let problems: [String]

  /// All classes of the program that realms know by default.
  static let discovered = ModelClasses(all: ClassDiscovery.classes)

  /// A list of classes given by the program. Stops it when one of them can not be stored, or links to a class
  /// that is missing from the list.
  convenience init(_ types: [ObjectBase.Type]) {
    self.init(all: types)
    let missing = missingTargets
    if !missing.isEmpty {
      trap("Invalid class subset list:\n" + missing.map { "- \($0)" }.joined(separator: "\n"))
    }
  }

  /// The classes of a file, as the program sees them that does not have them.
  init(stored schemas: [ClassSchema]) {
    self.schemas = schemas.sorted { $0.className < $1.className }
    byName = Self.numbers(self.schemas)
    problems = []
  }

  private init(all types: [ObjectBase.Type]) {
    var seen: Set<ObjectIdentifier> = []
    schemas =
      types
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
      .map { ClassSchema.of($0) }
      .sorted { $0.className < $1.className }
    byName = Self.numbers(schemas)
    for (first, second) in zip(schemas, schemas.dropFirst()) where first.className == second.className {
      trap(
        "RLMObject subclasses with the same name cannot be included twice in the same target. Please make sure '\(String(reflecting: first.type))' and '\(String(reflecting: second.type))' have different names, or leave one of them out."
      )
    }
    problems = Self.problems(schemas)
  }

  private static func numbers(_ schemas: [ClassSchema]) -> [String: Int] {
    Dictionary(
      schemas.enumerated().map { ($0.element.className, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  func schema(named name: String) -> ClassSchema? { byName[name].map { schemas[$0] } }

  func contains(_ type: ObjectBase.Type) -> Bool {
    schema(named: ClassSchema.of(type).className)?.type == type
  }
}
