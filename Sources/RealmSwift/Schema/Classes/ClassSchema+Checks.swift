import Storage
import SwiftRuntime

// The rules that a class must keep by itself.
extension ClassSchema {
  /// Stops the program when the class cannot be stored.
  func check() {
    if let problem = declarationProblems.first { trap(problem) }
    if properties.isEmpty && computedProperties.isEmpty && type != DynamicObject.self {
      trap(
        "No properties are defined for '\(className)'. Did you remember to mark them with '@objc' or '@Persisted' in your model?\(OldFields.advice(on: type))"
      )
    }
    checkIgnoredProperties()
  }

  /// What is wrong with the class, whether it is declared or described.
  var declarationProblems: [String] {
    var problems: [String] = []
    let primaryKeys = properties.filter(\.isPrimaryKey)
    if primaryKeys.count > 1 {
      problems.append(
        "Properties '\(primaryKeys[1].name)' and '\(primaryKeys[0].name)' are both marked as the primary key of '\(className)'"
      )
    }
    let names = (properties + computedProperties).map(\.name)
    let places = NameTable(names)
    let repeated = names.indices.filter { places.isRepeated(at: $0) }.map { names[$0] }
    if repeated.count == 1 {
      problems.append(
        "Property '\(repeated[0])' is declared multiple times in the class hierarchy of '\(className)'")
    }
    if repeated.count > 1 {
      let list = repeated.map { "'\($0)'" }.joined(separator: ", ")
      problems.append(
        "Object '\(className)' has properties that are declared multiple times in its class hierarchy: \(list)"
      )
    }
    problems += properties.compactMap { optionalityProblem($0) }
    problems += indexProblems
    for property in computedProperties where property.deleteRule != nil {
      problems.append(
        "LinkingObjects property '\(property.name)' of '\(className)' cannot have a delete rule: declare it on the property that links."
      )
    }
    for property in computedProperties where property.originProperty?.isEmpty ?? true {
      let target = property.kind.unregisteredTargetName ?? "Object"
      problems.append(
        "LinkingObjects<\(target)> property '\(property.name)' must set the origin property name with @Persisted(originProperty: \"name\")."
      )
    }
    return problems
  }

  /// Links can be null, in a property and as a value of a map, and are never null in a list or set.
  private func optionalityProblem(_ property: ClassProperty) -> String? {
    let kind = property.kind
    guard kind.type == .object, let target = kind.unregisteredTargetName else { return nil }
    switch kind.collection {
    case .none:
      return kind.isNullable ? nil : "Object property '\(property.name)' must be marked as optional."
    case .list:
      return kind.isOptional
        ? "List<\(target)> property '\(property.name)' must not be marked as optional." : nil
    case .set:
      return kind.isOptional
        ? "MutableSet<\(target)> property '\(property.name)' must not be marked as optional." : nil
    case .map:
      return kind.isNullable
        ? nil : "Map<String, \(target)> property '\(property.name)' must be marked as optional."
    }
  }
}

extension _PropertyKind {
  /// The name of the class that links lead to, which may be the one that is just being looked at.
  fileprivate var unregisteredTargetName: String? {
    objectType.map { $0._realmObjectName() ?? ClassName.unqualified(of: $0) } ?? objectClassName
  }
}
