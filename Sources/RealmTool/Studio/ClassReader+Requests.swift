import RealmSwift
import Storage

extension ClassReader {
  /// The class with exactly this name.
  static func exact(_ name: String, in snapshot: Snapshot) -> ClassReader? {
    snapshot.catalogue.tables.firstIndex { !$0.isRemoved && $0.name.isExactly(name) }
      .map { ClassReader(snapshot, $0) }
  }

  /// Returns the class that a request names.
  ///
  /// - Throws: `StudioFault` with status 404 when the file has none of this name.
  static func requested(_ name: String, in snapshot: Snapshot) throws(StudioFault) -> ClassReader {
    guard let reader = exact(name, in: snapshot) else {
      throw StudioFault(404, "The file has no class '\(name)'.")
    }
    return reader
  }

  /// Returns the property that a request names by its number.
  ///
  /// - Throws: `StudioFault` with status 404 when the class has none with this number.
  func requestedColumn(_ number: Int) throws(StudioFault) -> Column {
    let columns = description.columns
    guard columns.indices.contains(number), !columns[number].isRemoved else {
      throw StudioFault(404, "Class '\(name)' has no property with the number \(number).")
    }
    return columns[number]
  }
}
