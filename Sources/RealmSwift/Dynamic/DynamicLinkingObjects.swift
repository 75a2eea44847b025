import Foundation
import Storage

/// A property with the objects that link to its own, as dynamic objects.
final class DynamicLinkingObjects: ClassProperty {
  private let table: Int
  private let column: Int

  /// - Parameters:
  ///   - property: The property of the program's class.
  ///   - table: The table that the links come from.
  ///   - column: The column of the links.
  init(_ property: ClassProperty, table: Int, column: Int) {
    self.table = table
    self.column = column
    super.init(
      name: property.name, columnName: property.columnName, kind: property.kind, attributes: 0,
      originProperty: property.originProperty, offset: 0)
  }

  override func dynamicValue(_ object: ObjectBase) -> Any? {
    object._checkAccess()
    let origin = object._realm.unsafelyUnwrapped.dynamicClassTable(table)
    return LinkingObjects<DynamicObject>(
      LinkTarget(object, origin: origin, column: column), originProperty: originProperty ?? "")
  }

  override func typedValue(_ object: ObjectBase) -> Any { dynamicValue(object) as Any }
  override func bind(_ base: UnsafeMutableRawPointer, _ column: Int) {}
  override func reset(_ base: UnsafeMutableRawPointer) {}
  override var keepsInstance: Bool { false }
}
