import Storage
import SwiftRuntime

// The rules that a class must keep by itself.
extension ClassSchema {
  /// Stops the program when the class can not be stored.
  func check(allPrimaryKeys: [ClassProperty]) {
    if allPrimaryKeys.count > 1 {
      trap(
        "Properties '\(allPrimaryKeys[1].name)' and '\(allPrimaryKeys[0].name)' are both marked as the primary key of '\(className)'"
      )
    }
    var seen: Set<String> = []
    var repeated: [String] = []
    for property in properties + computedProperties where !seen.insert(property.name).inserted {
      repeated.append(property.name)
    }
    if repeated.count == 1 {
      trap("Property '\(repeated[0])' is declared multiple times in the class hierarchy of '\(className)'")
    }
    if repeated.count > 1 {
      let names = repeated.map { "'\($0)'" }.joined(separator: ", ")
      trap(
        "Object '\(className)' has properties that are declared multiple times in its class hierarchy: \(names)"
      )
    }
    if properties.isEmpty && computedProperties.isEmpty && type != DynamicObject.self {
      trap(
        "No properties are defined for '\(className)'. Did you remember to mark them with '@objc' or '@Persisted' in your model?\(Self.adviceOnFields(of: type))"
      )
    }
    checkOldDeclarations()
    for property in properties { checkOptionality(property) }
    for property in computedProperties where property.deleteRule != nil {
      trap(
        "LinkingObjects property '\(property.name)' of '\(className)' cannot have a delete rule: declare it on the property that links."
      )
    }
    for property in computedProperties where property.originProperty?.isEmpty ?? true {
      let target = property.kind.objectType.map { String(describing: $0) } ?? "Object"
      trap(
        "LinkingObjects<\(target)> property '\(property.name)' must set the origin property name with @Persisted(originProperty: \"name\")."
      )
    }
  }

  /// Links can be null, in a property and as a value of a map, and are never null in a list or set.
  private func checkOptionality(_ property: ClassProperty) {
    let kind = property.kind
    guard kind.type == .object, let target = kind.objectType else { return }
    // The target's schema may be the one that is being made, so its name is not taken from there.
    var targetName: String { target._realmObjectName() ?? ClassName.unqualified(of: target) }
    switch kind.collection {
    case .none:
      if !kind.isNullable { trap("Object property '\(property.name)' must be marked as optional.") }
    case .list:
      if kind.isOptional {
        trap("List<\(targetName)> property '\(property.name)' must not be marked as optional.")
      }
    case .set:
      if kind.isOptional {
        trap("MutableSet<\(targetName)> property '\(property.name)' must not be marked as optional.")
      }
    case .map:
      if !kind.isNullable {
        trap("Map<String, \(targetName)> property '\(property.name)' must be marked as optional.")
      }
    }
  }
}
