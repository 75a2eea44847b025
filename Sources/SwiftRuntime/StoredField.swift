import CSwiftRuntime

/// A stored property of an object.
///
/// The runtime tells names, types and offsets to `Mirror` through three functions, which are called here
/// (swift/stdlib/public/runtime/ReflectionMirror.cpp). Checked with an object whose content is known. Otherwise `Mirror`
/// tells names, types and values, and offsets are found by changing a value's first number where it might be until
/// `Mirror` shows the change.
package struct StoredField {
  package let name: String
  package let type: Any.Type
  private let place: Place

  private enum Place {
    /// Counted from the object's address.
    case offset(Int)
    /// The number of the property among all that `Mirror` shows.
    case mirrored(Int)
  }

  static let isReflected = RuntimeFact.fieldReflection.isSo {
    hasFieldReflection() && Probe.isAsDescribed
  }

  /// All stored properties, those of superclasses first.
  package static func all(of object: AnyObject) -> [StoredField] {
    isReflected ? reflected(Swift.type(of: object)) : mirrored(object)
  }

  /// The types of the stored properties of a class, and their distances from the address of its objects; nil where an object
  /// is needed to find them.
  package static func places(in type: AnyClass) -> [(type: Any.Type, offset: Int)]? {
    if !isReflected { return nil }
    return reflected(type).compactMap { field in
      if case .offset(let offset) = field.place { (field.type, offset) } else { nil }
    }
  }

  /// The value in an object of the class. Not for properties that are weak or unowned.
  package func value(in object: AnyObject) -> Any {
    switch place {
    case .offset(let offset):
      func load<Value>(_: Value.Type) -> Any {
        (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Value.self).pointee
      }
      return _openExistential(type, do: load)
    case .mirrored(let number): return Self.mirroredValue(number, of: object)
    }
  }

  /// The distance of the property from the address of objects of the class.
  ///
  /// - Parameter mark: The number that a value of the property begins with. It may have any value for a moment.
  package func offset(in object: AnyObject, mark: (Any) -> Int32) -> Int {
    if case .offset(let offset) = place { return offset }
    let base = Unmanaged.passUnretained(object).toOpaque()
    let old = mark(value(in: object))
    let new: Int32 = old == 0x5EED ? 0x5EEE : 0x5EED
    // Only words that look like the mark are changed, in rising order: those of earlier properties, which are not read
    // here, and that of the property. So the walk ends within the object.
    for offset in stride(from: 0, to: Self.maximumSize, by: MemoryLayout<Int32>.alignment) {
      if base.load(fromByteOffset: offset, as: Int32.self) != old { continue }
      base.storeBytes(of: new, toByteOffset: offset, as: Int32.self)
      let isHere = mark(value(in: object)) == new
      base.storeBytes(of: old, toByteOffset: offset, as: Int32.self)
      if isHere { return offset }
    }
    fatalError("The property '\(name)' of '\(Swift.type(of: object))' could not be found.")
  }

  /// No object is larger than this.
  private static let maximumSize = 1 << 20

  // MARK: The runtime's functions

  static func reflected(_ type: AnyClass) -> [StoredField] {
    let type = ClassMetadata.address(of: type)
    return (0..<reflectedFieldCount(type)).map { index in
      var notes = ReflectedFieldNotes()
      let fieldType = reflectedFieldType(type, index, &notes)
      defer { notes.freeName?(notes.name) }
      return StoredField(
        name: notes.name.map { String(cString: $0) } ?? "",
        type: unsafeBitCast(fieldType, to: Any.Type.self),
        place: .offset(reflectedFieldOffset(type, index)))
    }
  }

  // MARK: Mirror

  static func mirrored(_ object: AnyObject) -> [StoredField] {
    var fields: [StoredField] = []
    for mirror in mirrors(of: object) {
      for child in mirror.children {
        fields.append(
          StoredField(
            name: child.label ?? "", type: Swift.type(of: child.value), place: .mirrored(fields.count)))
      }
    }
    return fields
  }

  private static func mirroredValue(_ number: Int, of object: AnyObject) -> Any {
    var number = number
    for mirror in mirrors(of: object) {
      let count = mirror.children.count
      // Reads no other property.
      if number < count {
        return mirror.children[mirror.children.index(mirror.children.startIndex, offsetBy: number)].value
      }
      number -= count
    }
    preconditionFailure()
  }

  /// The mirrors of an object's classes, those of superclasses first.
  private static func mirrors(of object: AnyObject) -> [Mirror] {
    if object is any CustomReflectable {
      fatalError(
        "The properties of '\(Swift.type(of: object))' can not be found: it has a mirror of its own.")
    }
    return sequence(first: Mirror(reflecting: object), next: \.superclassMirror).reversed()
  }

  // MARK: Trying it

  private class Probe {
    let first: UInt8 = 0xA5
    let second = [7, 8]

    static var isAsDescribed: Bool {
      let probe = LongerProbe()
      let fields = reflected(LongerProbe.self)
      let types: [Any.Type] = [UInt8.self, [Int].self, Int32.self, String.self]
      let base = Unmanaged.passUnretained(probe).toOpaque()
      guard fields.map(\.name) == ["first", "second", "third", "fourth"],
        zip(fields, types).allSatisfy({ $0.type == $1 })
      else { return false }
      let offsets = fields.map { field in
        if case .offset(let offset) = field.place { offset } else { -1 }
      }
      guard
        zip(offsets, [1, 8, 4, 16]).allSatisfy({ (8...96).contains($0) && $0 % min($1, 8) == 0 }),
        base.load(fromByteOffset: offsets[0], as: UInt8.self) == probe.first,
        base.load(fromByteOffset: offsets[1], as: UInt.self) == unsafeBitCast(probe.second, to: UInt.self),
        base.load(fromByteOffset: offsets[2], as: Int32.self) == probe.third
      else { return false }
      return withExtendedLifetime(probe) { fields[3].value(in: probe) as? String == probe.fourth }
    }
  }

  private final class LongerProbe: Probe {
    let third: Int32 = 0x1234_5678
    let fourth = "a text that is too long for being kept in place"
  }
}
