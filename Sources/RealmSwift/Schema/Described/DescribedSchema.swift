/// The classes of a realm that the program does not declare.
public enum DescribedSchema: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// Classes that are described at run time.
  case classes([DescribedClass])
  /// The classes that the file has, with its schema version.
  ///
  /// Opening does not change the file, and throws `Realm.Error.fileNotFound` if there is none.
  case ofFile

  /// Creates a schema from an array literal of classes.
  public init(arrayLiteral classes: DescribedClass...) { self = .classes(classes) }
}
