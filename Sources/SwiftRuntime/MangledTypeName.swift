/// The name of a type as the compiler writes it (swift/docs/ABI/Mangling.rst), read from its beginning.
///
/// Types without a letter of their own are in it as symbolic references: 1 and the distance to a descriptor, or 2 and that
/// to its address.
package struct MangledTypeName {
  private var next: UnsafeRawPointer

  init(start: UnsafeRawPointer) { next = start }

  /// Whether nothing is left.
  package var isAtEnd: Bool { next.load(as: UInt8.self) == 0 }

  /// Goes on behind a text, if it stands here.
  package mutating func take(_ text: StaticString) -> Bool {
    for offset in 0..<text.utf8CodeUnitCount
    where next.load(fromByteOffset: offset, as: UInt8.self) != text.utf8Start[offset] {
      return false
    }
    next += text.utf8CodeUnitCount
    return true
  }

  /// Goes on behind the reference to a type, if one stands here, and returns the address of the type's descriptor.
  package mutating func takeDescriptor() -> UnsafeRawPointer? {
    let place = next + 1
    let distance = Int(place.loadUnaligned(as: Int32.self))
    switch next.load(as: UInt8.self) {
    case 1:
      next += 5
      return place + distance
    case 2:
      next += 5
      return (place + distance).load(as: UnsafeRawPointer.self)
    default: return nil
    }
  }
}

/// The descriptor of a type, of which types that are made from the same generic one have the same.
///
/// That of a struct is the second word of its metadata (swift/include/swift/ABI/Metadata.h, TargetValueMetadata).
package enum TypeDescriptor {
  /// The address of that of a class or a struct. Only where the records of fields are known.
  package static func address(of type: Any.Type) -> UnsafeRawPointer? {
    if let type = type as? AnyClass { return ClassMetadata.descriptor(of: type) }
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    // The kind of structs.
    guard metadata.load(as: UInt.self) == 0x200 else { return nil }
    return metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
  }

  /// The class that a descriptor describes; nil for generic ones and for what is no class.
  package static func plainClass(_ descriptor: UnsafeRawPointer) -> AnyClass? {
    // Kind and mark of generic types: see `TypeRecords`.
    guard descriptor.load(as: UInt32.self) & 0x9F == 16 else { return nil }
    return MetadataAccessor((descriptor + 12).relativeAddress).type as? AnyClass
  }
}
