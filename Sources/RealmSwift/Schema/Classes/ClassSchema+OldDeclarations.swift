// What classes declared by functions before there was `@Persisted`.
extension ClassSchema {
  /// Makes the properties that a class names in `primaryKey()` and `indexedProperties()` its primary key and indexed.
  ///
  /// Stops the program when the class does not store such a property. Classes without stored properties are left to
  /// `check()`, which has more to say about them.
  static func addOldDeclarations(
    of type: ObjectBase.Type, named className: String, to properties: [ClassProperty]
  ) {
    guard let type = type as? Object.Type, !properties.isEmpty else { return }
    func property(_ name: String) -> ClassProperty? {
      properties.first { $0.name == name && $0.isStored }
    }
    if let name = type.primaryKey() {
      guard let key = property(name) else {
        trap("Primary key property '\(name)' does not exist on object '\(className)'")
      }
      key.becomePrimaryKey()
    }
    for name in type.indexedProperties() {
      guard let indexed = property(name) else {
        trap(
          "'\(className).indexedProperties()' names '\(name)', which is no stored property of the class: declare it with '@Persisted', or leave it out."
        )
      }
      indexed.addIndex(isUnique: false)
    }
  }

  /// Stops the program when the class says that a property is ignored which is stored.
  func checkIgnoredProperties() {
    for name in Self.ignoredProperties(of: type) where property(named: name) != nil {
      trap(
        "'\(className).ignoredProperties()' names '\(name)', which is stored: declare it without '@Persisted'."
      )
    }
  }

  static func ignoredProperties(of type: ObjectBase.Type) -> [String] {
    (type as? Object.Type)?.ignoredProperties()
      ?? (type as? EmbeddedObject.Type)?.ignoredProperties() ?? []
  }
}
