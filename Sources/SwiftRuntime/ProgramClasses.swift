/// All classes of the program and of its libraries, but for generic ones and those of the toolchain.
package enum ProgramClasses {
  /// Returns the classes that have a superclass, and perhaps further ones; nil if they cannot be found: the records of types are not
  /// as they are known, and a file has no symbols.
  package static func all() -> [Any.Type]? {
    let images = LoadedImage.ofProgram()
    return TypeRecords.areKnown
      ? TypeRecords.classes(in: images) ?? ClassSymbols.classes(in: images)
      : ClassSymbols.classes(in: images)
  }
}

/// The function that gives the metadata of a class that is not generic. It takes a request, 0 for one of the whole, and
/// returns the metadata and its state, the first of which C sees (swift/docs/ABI/TypeMetadata.rst).
struct MetadataAccessor {
  private let function: @convention(c) (Int) -> UnsafeRawPointer

  init(_ address: UnsafeRawPointer) {
    function = unsafeBitCast(address, to: (@convention(c) (Int) -> UnsafeRawPointer).self)
  }

  var metadata: UnsafeRawPointer { function(0) }
  var type: Any.Type { unsafeBitCast(metadata, to: Any.Type.self) }
}
