/// What the compiler writes of a type, of which all types that are made from the same generic one have the same.
///
/// A descriptor begins with flags: the lower five bits are the kind, 16 for a class, and bit 7 marks generic types. Name,
/// metadata accessor and the records of fields follow at 8, 12 and 16, that of a class has its superclass at 20, all as
/// distances from those places (swift/include/swift/ABI/Metadata.h, TargetTypeContextDescriptor). That of a struct is the
/// second word of its metadata (TargetValueMetadata).
///
/// Each user of a part checks that part: `ClassName`, `TypeRecords`, `FieldRecord`.
package enum TypeDescriptor {
  /// The address of that of a class or a struct; nil for other types.
  package static func address(of type: Any.Type) -> UnsafeRawPointer? {
    if let type = type as? AnyClass { return ClassMetadata.descriptor(of: type) }
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    // The kind of structs.
    guard metadata.load(as: UInt.self) == 0x200 else { return nil }
    return metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
  }

  /// The class that a descriptor describes; nil for generic ones and for what is no class.
  package static func plainClass(_ descriptor: UnsafeRawPointer) -> AnyClass? {
    guard isClass(descriptor), !isGeneric(descriptor) else { return nil }
    return MetadataAccessor(accessor(descriptor)).type as? AnyClass
  }

  static func isClass(_ descriptor: UnsafeRawPointer) -> Bool {
    descriptor.load(as: UInt32.self) & 0x1F == 16
  }

  static func isGeneric(_ descriptor: UnsafeRawPointer) -> Bool {
    descriptor.load(as: UInt32.self) & 0x80 != 0
  }

  static func name(_ descriptor: UnsafeRawPointer) -> UnsafePointer<CChar> {
    (descriptor + 8).relativeAddress.assumingMemoryBound(to: CChar.self)
  }

  /// The address of the function that gives the type's metadata.
  static func accessor(_ descriptor: UnsafeRawPointer) -> UnsafeRawPointer {
    (descriptor + 12).relativeAddress
  }

  /// The records of fields; nil where a library was compiled without.
  static func fields(_ descriptor: UnsafeRawPointer) -> UnsafeRawPointer? {
    descriptor.load(fromByteOffset: 16, as: Int32.self) == 0 ? nil : (descriptor + 16).relativeAddress
  }

  /// Only of a class.
  static func hasSuperclass(_ descriptor: UnsafeRawPointer) -> Bool {
    descriptor.load(fromByteOffset: 20, as: Int32.self) != 0
  }
}

extension UnsafeRawPointer {
  /// The address whose distance from here is stored here.
  var relativeAddress: UnsafeRawPointer { self + Int(load(as: Int32.self)) }
}
