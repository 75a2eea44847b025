/// The name of a type as the compiler writes it (swift/docs/ABI/Mangling.rst), read from its beginning.
///
/// Types without a letter of their own are in it as symbolic references: 1 and the distance to a descriptor, or 2 and that
/// to its address.
package struct MangledTypeName {
  private var next: UnsafeRawPointer

  init(start: UnsafeRawPointer) { next = start }

  /// Whether nothing is left.
  package var isAtEnd: Bool { next.load(as: UInt8.self) == 0 }

  /// Whether a letter or a digit stands here, and no reference of any kind.
  package var isText: Bool { 0x20...0x7E ~= next.load(as: UInt8.self) }

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
    let kind = next.load(as: UInt8.self)
    guard kind == 1 || kind == 2 else { return nil }
    let place = next + 1
    next += 5
    let target = place + Int(place.loadUnaligned(as: Int32.self))
    return kind == 1 ? target : target.load(as: UnsafeRawPointer.self)
  }
}
