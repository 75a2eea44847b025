import CSwiftRuntime
import LibC

/// The records that each image has of its types.
///
/// The runtime hands out their place (`MetadataSections`). A record is the distance to a type's descriptor, with two bits
/// that say whether there is another step (swift/include/swift/ABI/Metadata.h; swift/docs/ABI/TypeMetadata.rst).
///
/// Checked by finding the records of classes of this library; and whatever record leads out of its image, the records are not
/// as they are known. Otherwise classes are found by the symbols of the images' files, see `ClassSymbols`.
enum TypeRecords {
  static let areKnown = RuntimeFact.typeRecords.isSo { Root.isAsDescribed }

  /// The classes that have a superclass and are not generic; nil when a record is not as described.
  static func classes(in images: [LoadedImage]) -> [Any.Type]? {
    guard let records = records(in: images) else { return nil }
    var classes: [Any.Type] = []
    for (image, start, count) in records {
      for place in stride(from: start, to: start + count * 4, by: 4) {
        guard let descriptor = descriptor(of: place) else { continue }
        guard image.contains(descriptor, 24) else { return nil }
        guard TypeDescriptor.isClass(descriptor), TypeDescriptor.hasSuperclass(descriptor),
          !TypeDescriptor.isGeneric(descriptor)
        else { continue }
        let accessor = TypeDescriptor.accessor(descriptor)
        guard image.containsCode(accessor) else { return nil }
        classes.append(MetadataAccessor(accessor).type)
      }
    }
    return classes
  }

  /// The descriptor to which the record at a place leads; nil when there is another step, as the lower bits say.
  private static func descriptor(of place: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = place.load(as: Int32.self)
    return distance & 3 == 0 ? place + Int(distance) : nil
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

  private class Root {
    static var isAsDescribed: Bool {
      let classes: [AnyClass] = [Root.self, Plain.self, Generic<Int>.self]
      let known = classes.compactMap { ClassMetadata.descriptor(of: $0) }
      guard known.count == 3, let image = LoadedImage.containing(known[0], 24),
        let records = records(in: [image]),
        known.allSatisfy({ image.contains($0, 24) && TypeDescriptor.isClass($0) })
      else { return false }
      let isFound = known.allSatisfy { known in
        records.contains { record in
          stride(from: record.start, to: record.start + record.count * 4, by: 4).contains {
            descriptor(of: $0) == known
          }
        }
      }
      return isFound && known.map(TypeDescriptor.hasSuperclass) == [false, true, true]
        && known.map(TypeDescriptor.isGeneric) == [false, false, true]
        && MetadataAccessor(TypeDescriptor.accessor(known[1])).metadata
          == ClassMetadata.address(of: Plain.self)
    }
  }

  private final class Plain: Root {}
  private final class Generic<Value>: Root {}
}
