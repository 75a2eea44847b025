/// The classes of a realm.
public struct Schema: CustomStringConvertible, Equatable {
  let classes: ModelClasses

  init(_ classes: ModelClasses) { self.classes = classes }

  /// The schemas of all classes, sorted by name.
  public var objectSchema: [ObjectSchema] { classes.schemas.map { ObjectSchema($0) } }

  /// The schema of the class with a name; nil if the realm does not have the class.
  public subscript(className: String) -> ObjectSchema? {
    classes.schema(named: className).map { ObjectSchema($0) }
  }

  /// The description, in the layout of the official SDK.
  public var description: String {
    let lines = objectSchema.map { "\t" + $0.description.indented + "\n" }
    return "Schema {\n" + lines.joined() + "}"
  }

  /// Returns whether both describe the same classes.
  public static func == (first: Schema, second: Schema) -> Bool {
    first.classes === second.classes || first.objectSchema == second.objectSchema
  }
}

extension String {
  /// All lines but the first moved in by a tab.
  var indented: String { split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\t") }
}
