import CSwiftRuntime
import LibC

/// The records that each image has of its types.
///
/// The runtime hands out their place (`MetadataSections`). A record is the distance to a type's descriptor, with two bits
/// that say whether there is another step (swift/include/swift/ABI/Metadata.h; swift/docs/ABI/TypeMetadata.rst).
///
/// Checked by finding classes of this library; and whatever record leads out of its image, the records are not as they are
/// known. Otherwise classes are found by the symbols of the images' files, see `ClassSymbols`.
enum TypeRecords {
  static let areKnown = RuntimeFact.typeRecords.isSo { SwiftRuntimeRootProbe.isAsDescribed }

  /// The classes that have a superclass and are not generic; nil when a record is not as described.
  static func classes(in images: [LoadedImage]) -> [Any.Type]? {
    var classes: [Any.Type] = []
    let isAsDescribed = forEachClass(in: images) { descriptor, accessor in
      if !TypeDescriptor.isGeneric(descriptor) { classes.append(accessor.type) }
    }
    return isAsDescribed ? classes : nil
  }

  /// Calls the body with the descriptor of each class that has a superclass. False when a record is not as described.
  private static func forEachClass(
    in images: [LoadedImage], _ body: (UnsafeRawPointer, MetadataAccessor) -> Void
  ) -> Bool {
    guard let records = records(in: images) else { return false }
    for (image, start, count) in records {
      for record in 0..<count {
        let place = start + record * 4
        let distance = place.load(as: Int32.self)
        // The lower bits say whether the reference is indirect.
        if distance & 3 != 0 { continue }
        let descriptor = place + Int(distance)
        guard image.contains(descriptor, 24) else { return false }
        guard TypeDescriptor.isClass(descriptor), TypeDescriptor.hasSuperclass(descriptor) else { continue }
        let accessor = TypeDescriptor.accessor(descriptor)
        guard image.containsCode(accessor) else { return false }
        body(descriptor, MetadataAccessor(accessor))
      }
    }
    return true
  }

  private typealias Records = (image: LoadedImage, start: UnsafeRawPointer, count: Int)

  /// Where the records of images are; nil when what the runtime says is not as described.
  private static func records(in images: [LoadedImage]) -> [Records]? {
    final class Found { var sections: [UnsafeRawPointer] = [] }
    let found = Found()
    let isThere = forEachMetadataSections(
      { sections, context in
        Unmanaged<Found>.fromOpaque(context!).takeUnretainedValue().sections.append(sections)
        return true
      }, Unmanaged.passUnretained(found).toOpaque())
    if !isThere || found.sections.isEmpty { return nil }
    var records: [Records] = []
    for sections in found.sections {
      // Others are of images that do not matter, such as those of the toolchain.
      let size = MemoryLayout<MetadataSections>.size
      guard let image = images.first(where: { $0.contains(sections, size) }) else { continue }
      let types = sections.load(as: MetadataSections.self).types
      guard let start = types.start, types.size > 0 else { continue }
      let count = Int(truncatingIfNeeded: types.size)
      guard count > 0, count % 4 == 0, UInt(bitPattern: start) % 4 == 0, image.contains(start, count) else {
        return nil
      }
      records.append((image, start, count / 4))
    }
    return records
  }

  private class SwiftRuntimeRootProbe {
    static var isAsDescribed: Bool {
      // Not in a dictionary: that its keys are hashable takes the runtime long to find out.
      var (plain, generic): (MetadataAccessor?, MetadataAccessor?)
      var hasRoot = false
      guard
        let image = LoadedImage.containing(ClassMetadata.address(of: SwiftRuntimeRootProbe.self), 1),
        forEachClass(
          in: [image],
          { descriptor, accessor in
            let name = TypeDescriptor.name(descriptor)
            func isNamed(_ known: StaticString) -> Bool {
              let size = known.utf8CodeUnitCount + 1
              return image.contains(name, size) && memcmp(name, known.utf8Start, size) == 0
            }
            if isNamed("SwiftRuntimeTypeProbe"), !TypeDescriptor.isGeneric(descriptor) { plain = accessor }
            if isNamed("SwiftRuntimeGenericProbe"), TypeDescriptor.isGeneric(descriptor) {
              generic = accessor
            }
            if isNamed("SwiftRuntimeRootProbe") { hasRoot = true }
          })
      else { return false }
      // A class without a superclass was left out.
      return !hasRoot && generic != nil
        && plain?.metadata == ClassMetadata.address(of: SwiftRuntimeTypeProbe.self)
    }
  }

  private final class SwiftRuntimeTypeProbe: SwiftRuntimeRootProbe {}
  private final class SwiftRuntimeGenericProbe<Value>: SwiftRuntimeRootProbe {}
}
