import CSwiftRuntime

/// A stored property of an object.
///
/// The runtime tells names, types and offsets to `Mirror` through three functions, which are called here
/// (swift/stdlib/public/runtime/ReflectionMirror.cpp). Checked with an object whose content is known. Otherwise `Mirror`
/// tells names, types and values, and `offset(in:mark:)` searches the object's memory.
package struct StoredField {
  package let name: String
  /// The name of its type, where the records of fields are known.
  package let typeName: MangledTypeName?
  private let place: Place

  private enum Place {
    /// The number among those of the class, and the distance from the object's address.
    case reflected(UnsafeRawPointer, number: Int, offset: Int)
    /// The number of the property among all that `Mirror` shows.
    case mirrored(Int, Any.Type)
  }

  /// Its type. The runtime may have to look for it through all conformances of all libraries.
  package var type: Any.Type {
    switch place {
    case .mirrored(_, let type): return type
    case .reflected(let type, let number, _):
      var notes = ReflectedFieldNotes()
      defer { notes.freeName?(notes.name) }
      return unsafeBitCast(reflectedFieldType(type, number, &notes), to: Any.Type.self)
    }
  }

  static let isReflected = RuntimeFact.fieldReflection.isSo {
    RuntimeFact.signaturesAreKnown && hasFieldReflection() && Probe.isAsDescribed
  }

  /// All stored properties, those of superclasses first.
  package static func all(of object: AnyObject) -> [StoredField] {
    isReflected ? reflected(Swift.type(of: object)) : mirrored(object)
  }

  /// The stored properties of a class; nil where an object is needed to find them.
  package static func all(of type: AnyClass) -> [StoredField]? { isReflected ? reflected(type) : nil }

  /// The distance from the address of the class's objects; nil where an object is needed to find it.
  package var offset: Int? { if case .reflected(_, _, let offset) = place { offset } else { nil } }

  /// The value in an object of the class. Not for properties that are weak or unowned.
  package func value(in object: AnyObject) -> Any {
    switch place {
    case .reflected(_, _, let offset):
      func load<Value>(_: Value.Type) -> Any {
        (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Value.self).pointee
      }
      return _openExistential(type, do: load)
    case .mirrored(let number, _): return Self.mirroredValue(number, of: object)
    }
  }

  /// The distance of the property from the address of objects of the class.
  ///
  /// Where the runtime's functions are not known, this writes to the object's memory: it changes one word after the other
  /// that is equal to the mark, until `Mirror` shows another mark, and restores each. That an object is one block of memory
  /// is documented nowhere. The search stays within the block that the C library has allocated, and stops the program when it
  /// finds nothing there. No other thread may know the object.
  ///
  /// - Parameter mark: The number that a value of the property begins with. It may have any value for a moment.
  package func offset(in object: AnyObject, mark: (Any) -> Int32) -> Int {
    if let offset { return offset }
    let base = Unmanaged.passUnretained(object).toOpaque()
    let old = mark(value(in: object))
    let new: Int32 = old == 0x5EED ? 0x5EEE : 0x5EED
    // Only words that are equal to the mark are changed, in rising order: those of earlier properties, which are not read
    // here, and that of the property. The two words before all properties are the runtime's own.
    let header = 2 * MemoryLayout<Int>.size
    let end = malloc_usable_size(base) - MemoryLayout<Int32>.size
    for offset in stride(from: header, through: end, by: MemoryLayout<Int32>.alignment) {
      if base.load(fromByteOffset: offset, as: Int32.self) != old { continue }
      base.storeBytes(of: new, toByteOffset: offset, as: Int32.self)
      let isHere = mark(value(in: object)) == new
      base.storeBytes(of: old, toByteOffset: offset, as: Int32.self)
      if isHere { return offset }
    }
    fatalError(
      "The property '\(name)' of '\(Swift.type(of: object))' was not found in the object's memory: this version of Swift lays out objects in another way than the library expects. Use a version that the library supports."
    )
  }

  // MARK: The runtime's functions

  static func reflected(_ type: AnyClass) -> [StoredField] {
    let metadata = ClassMetadata.address(of: type)
    let count = reflectedFieldCount(metadata)
    let records = FieldRecord.isKnown ? FieldRecord.all(of: type) : []
    return (0..<count).map { index in
      let record = records.count == count ? records[index] : nil
      return StoredField(
        name: record?.name ?? reflectedName(metadata, index), typeName: record?.type,
        place: .reflected(metadata, number: index, offset: reflectedFieldOffset(metadata, index)))
    }
  }

  private static func reflectedName(_ type: UnsafeRawPointer, _ index: Int) -> String {
    var notes = ReflectedFieldNotes()
    _ = reflectedFieldType(type, index, &notes)
    defer { notes.freeName?(notes.name) }
    return notes.name.map { String(cString: $0) } ?? ""
  }

  // MARK: Mirror

  static func mirrored(_ object: AnyObject) -> [StoredField] {
    var fields: [StoredField] = []
    for mirror in mirrors(of: object) {
      for child in mirror.children {
        fields.append(
          StoredField(
            name: child.label ?? "", typeName: nil,
            place: .mirrored(fields.count, Swift.type(of: child.value))))
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
        "The properties of '\(Swift.type(of: object))' cannot be found: it has a mirror of its own.")
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
      let names = ["first", "second", "third", "fourth"]
      let type = ClassMetadata.address(of: LongerProbe.self)
      guard fields.map(\.name) == names, fields.indices.map({ reflectedName(type, $0) }) == names,
        zip(fields, types).allSatisfy({ $0.type == $1 })
      else { return false }
      let offsets = fields.map { $0.offset ?? -1 }
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
