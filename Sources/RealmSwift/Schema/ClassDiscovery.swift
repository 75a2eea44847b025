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
      .sorted { String(reflecting: $0) < String(reflecting: $1) }
    cached.withLock { $0 = classes }
    return classes
  }

  /// The toolchain's own libraries have no models, but hundreds of classes.
  private static func isSystemImage(_ address: UnsafeRawPointer) -> Bool {
    var image = ImageInformation()
    guard findImage(address, &image) != 0, let path = image.path else { return false }
    let name = String(cString: path).split(separator: "/").last ?? ""
    return name.hasPrefix("libswift") || name.hasPrefix("libFoundation") || name.hasPrefix("lib_Foundation")
      || name.hasPrefix("libdispatch") || name.hasPrefix("libBlocksRuntime") || name.hasPrefix("libXCTest")
      || name.hasPrefix("libTesting")
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
