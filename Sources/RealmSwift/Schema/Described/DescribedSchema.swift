/// The classes of a realm that the program does not declare.
public enum DescribedSchema: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// Those that are described.
  case classes([DescribedClass])
  /// Those that the file has, whatever they are, with its schema version.
  ///
  /// Nothing of the file is changed when it is opened, and opening throws `Realm.Error.fileNotFound` when there is none.
  case ofFile

  /// The classes in an array literal.
  public init(arrayLiteral classes: DescribedClass...) { self = .classes(classes) }
}
