public import Foundation

extension DescribedClass {
  /// Returns the classes that a file has, sorted by name, without opening a realm. Linking objects are not
  /// stored in files.
  ///
  /// ```swift
  /// let classes = try DescribedClass.classes(ofFileAt: url)
  /// ```
  ///
  /// - Throws: `Realm.Error`, as `schemaVersionAtURL`.
  public static func classes(ofFileAt fileURL: URL, encryptionKey: Data? = nil) throws -> [DescribedClass] {
    let catalogue = try Opening.catalogue(path: fileURL.path, encryptionKey: encryptionKey)
    return Schema(ModelClasses(catalogue)).described
  }
}
