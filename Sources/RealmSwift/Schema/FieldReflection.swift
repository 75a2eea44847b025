// The Swift runtime's reflection of stored properties, as `Mirror` uses it: names, types and offsets.
@_silgen_name("swift_reflectionMirror_recursiveCount")
private func reflectedFieldCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func reflectedFieldOffset(_: Any.Type, index: Int) -> Int

private struct ReflectedFieldMetadata {
  var name: UnsafePointer<CChar>?
  var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func reflectedField(
  _: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<ReflectedFieldMetadata>
) -> Any.Type

/// A stored property of a class.
struct ReflectedField {
  var name: String
  var type: Any.Type
  /// From the object's address.
  var offset: Int

  /// The name of a class without its module, as `String(describing:)` gives it in many times the time.
  static func unqualifiedName(of type: AnyClass) -> String {
    RuntimeLayout.isKnown ? RuntimeLayout.name(of: type) : String(describing: type)
  }

  /// All stored properties of a class, those of its superclasses first.
  static func all(of type: AnyClass) -> [ReflectedField] {
    (0..<reflectedFieldCount(type)).map { index in
      var metadata = ReflectedFieldMetadata()
      let fieldType = reflectedField(type, index: index, fieldMetadata: &metadata)
      defer { metadata.freeName?(metadata.name) }
      return ReflectedField(
        name: metadata.name.map { String(cString: $0) } ?? "", type: fieldType,
        offset: reflectedFieldOffset(type, index: index))
    }
  }
}
