import Foundation
import Storage

extension RealmCollection {
  /// For `RealmCollection`: the description, with objects down to that many levels.
  public func _rlmDescription(depth: Int) -> String {
    let header = "\(Self._rlmName)<\(_rlmElementName)> <0x\(String(_rlmAddress, radix: 16))>"
    if Element._rlmMayBeUnconverted {
      return ObjectDescription.text(
        collection: header, count: count, depth: depth,
        elements: _rlmDynamicElements.lazy.enumerated().map { (label: "\($0.offset)", value: $0.element) })
    }
    return ObjectDescription.text(
      collection: header, count: count, depth: depth,
      elements: lazy.enumerated().map { (label: "\($0.offset)", value: $0.element._rlmDynamicElement) })
  }

  /// The class of managed objects is that of their table: the type may be a base class.
  private var _rlmElementName: String {
    switch _rlmOrigin.kind {
    case .query(let query): if !query.isOfValues { return query.classTable.className }
    case .stored(let stored): if let objects = stored.source.classTable { return objects.className }
    case .nested, .unmanaged: break
    }
    return Element._rlmKind.elementName
  }

  /// The address of the instance, or of the query that a value stands for.
  private var _rlmAddress: UInt {
    if Self.self is AnyClass { return UInt(bitPattern: ObjectIdentifier(self as AnyObject)) }
    if case .query(let query) = _rlmOrigin.kind { return UInt(bitPattern: ObjectIdentifier(query)) }
    return 0
  }
}

extension Map: CustomStringConvertible {
  /// The entries, each on a line.
  public var description: String { _rlmDescription(depth: ObjectDescription.maximumDepth) }

  func _rlmDescription(depth: Int) -> String {
    let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    let elementName = backing?.stored?.source.classTable?.className ?? Value._rlmKind.elementName
    return ObjectDescription.text(
      collection: "Map<string, \(elementName)> <0x\(address)>", count: count, depth: depth,
      separator: ": ",
      elements: zip(keys, _rlmDynamicValues).lazy.map { (label: $0._rlmKeyText, value: $1) })
  }
}

extension List: DepthDescribed, _KeyValueCoded {}
extension MutableSet: DepthDescribed, _KeyValueCoded {}
extension Map: DepthDescribed, _KeyValueCoded {}
extension LinkingObjects: DepthDescribed, _KeyValueCoded {}
extension AnyRealmCollection: DepthDescribed, _KeyValueCoded {}

extension _PropertyKind {
  /// The type of a collection's elements in its description.
  fileprivate var elementName: String {
    if let objectType { return objectType.className() }
    return type.name + (isOptional ? "?" : "")
  }
}
