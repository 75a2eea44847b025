import Foundation
import Synchronization

// The layout of what the runtime hands out for each image (swift/stdlib/public/runtime, MetadataSections).
private struct MetadataSections {
  var version: UInt
  var baseAddress: UnsafeRawPointer?
  var unused0: UInt
  var unused1: UInt
  var protocols: (UInt, UInt)
  var conformances: (UInt, UInt)
  var types: (UnsafeRawPointer?, UInt)
}

@_silgen_name("swift_enumerateAllMetadataSections")
private func enumerateMetadataSections(
  _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool,
  _ context: UnsafeMutableRawPointer)

// Glibc's `dladdr`, which its Swift module hides.
private struct ImageInformation {
  var path: UnsafePointer<CChar>?
  var base: UnsafeMutableRawPointer?
  var symbolName: UnsafePointer<CChar>?
  var symbol: UnsafeMutableRawPointer?
}

@_silgen_name("dladdr")
private func findImage(_ address: UnsafeRawPointer, _ image: UnsafeMutablePointer<ImageInformation>) -> Int32

// The part of glibc's dl_phdr_info and of ELF's program headers that is read here (<link.h>, <elf.h>).
private struct LoadedImage {
  var address: UInt64
  var path: UnsafePointer<CChar>?
  var segments: UnsafePointer<LoadedSegment>?
  var segmentCount: UInt16
}

private struct LoadedSegment {
  static let loadable: UInt32 = 1
  var type: UInt32
  var flags: UInt32
  var fileOffset: UInt64
  var address: UInt64
  var physicalAddress: UInt64
  var fileSize: UInt64
  var size: UInt64
  var alignment: UInt64
}

@_silgen_name("dl_iterate_phdr")
private func enumerateImages(
  _ body: @convention(c) (UnsafeRawPointer, Int, UnsafeMutableRawPointer?) -> Int32,
  _ context: UnsafeMutableRawPointer?
) -> Int32

/// Finds all model classes in the program: the type records of every loaded image name its classes.
enum ClassDiscovery {
  private final class Found { var classes: [ObjectBase.Type] = [] }
  private static let cached = Mutex<[ObjectBase.Type]?>(nil)

  /// All classes that realms know by default.
  static var classes: [ObjectBase.Type] {
    if let known = cached.withLock({ $0 }) { return known }
    let found = Found()
    enumerateMetadataSections(
      { sections, context in
        let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
        let (start, length) = sections.load(as: MetadataSections.self).types
        if let start, !ClassDiscovery.isSystemImage(start) {
          ClassDiscovery.collect(start, count: Int(length) / 4, into: &found.classes)
        }
        return true
      }, Unmanaged.passUnretained(found).toOpaque())
    let classes = found.classes
      .filter { $0.shouldIncludeInDefaultSchema() }
      .sorted { _mangledTypeName($0) ?? "" < _mangledTypeName($1) ?? "" }
    cached.withLock { $0 = classes }
    return classes
  }

  /// The toolchain's own libraries have no models, but hundreds of classes.
  private static func isSystemImage(_ address: UnsafeRawPointer) -> Bool {
    systemImages.contains { $0.contains(UInt(bitPattern: address)) }
  }

  /// The address ranges of those libraries.
  private static let systemImages: [Range<UInt>] = {
    let images = Images()
    _ = enumerateImages(
      { image, _, context in
        let image = image.load(as: LoadedImage.self)
        guard let context, let path = image.path, ClassDiscovery.isSystemLibrary(path) else { return 0 }
        for segment in UnsafeBufferPointer(start: image.segments, count: Int(image.segmentCount))
        where segment.type == LoadedSegment.loadable {
          let start = UInt(image.address &+ segment.address)
          Unmanaged<Images>.fromOpaque(context).takeUnretainedValue().ranges
            .append(start..<start &+ UInt(segment.size))
        }
        return 0
      }, Unmanaged.passUnretained(images).toOpaque())
    return images.ranges
  }()

  private final class Images { var ranges: [Range<UInt>] = [] }

  private static func isSystemLibrary(_ path: UnsafePointer<CChar>) -> Bool {
    let name = strrchr(path, 0x2F).map { UnsafePointer($0 + 1) } ?? path
    return ["libswift", "libFoundation", "lib_Foundation", "libdispatch", "libXCTest", "libTesting"].contains
    {
      (prefix: String) in strncmp(name, prefix, prefix.utf8.count) == 0
    }
  }

  private static func collect(
    _ start: UnsafeRawPointer, count: Int, into classes: inout [ObjectBase.Type]
  ) {
    for record in 0..<count {
      let place = start + record * 4
      let relative = place.load(as: Int32.self)
      // The lower bits say whether the reference is indirect.
      if relative & 3 != 0 { continue }
      let descriptor = place + Int(relative)
      let flags = descriptor.load(as: UInt32.self)
      // Kind 16 is a class; bit 7 marks generic types. The superclass follows at 20, the accessor at 12.
      guard flags & 0x1F == 16, flags & 0x80 == 0, (descriptor + 20).load(as: Int32.self) != 0 else {
        continue
      }
      let accessorPlace = descriptor + 12
      let accessor = accessorPlace + Int(accessorPlace.load(as: Int32.self))
      typealias MetadataAccessor = @convention(c) (Int) -> UnsafeRawPointer
      let metadata = unsafeBitCast(accessor, to: MetadataAccessor.self)(0)
      guard let type = unsafeBitCast(metadata, to: Any.Type.self) as? ObjectBase.Type else { continue }
      if isOwnClass(type) { continue }
      classes.append(type)
    }
  }

  /// The base classes of this library.
  private static func isOwnClass(_ type: ObjectBase.Type) -> Bool {
    type == ObjectBase.self || type == RealmSwiftObject.self || type == RealmSwiftEmbeddedObject.self
      || type == RealmSwiftAsymmetricObject.self || type == DynamicObject.self
  }
}
