import CSwiftRuntime

/// The program or a library of it, as it lies in memory.
struct LoadedImage {
  /// Empty for the program itself.
  let path: String
  /// What the addresses in the image's file are relative to.
  let base: UInt
  private let segments: [Segment]

  private struct Segment {
    let range: Range<UInt>
    let isExecutable: Bool
  }

  private init(_ library: LoadedLibrary) {
    path = library.name.map { String(cString: $0) } ?? ""
    base = UInt(library.address)
    segments = UnsafeBufferPointer(start: library.headers, count: Int(library.headerCount))
      .filter { $0.p_type == PT_LOAD && $0.p_flags & UInt32(PF_R) != 0 }
      .map { [base] header in
        let start = base &+ UInt(header.p_vaddr)
        return Segment(
          range: start..<start &+ UInt(header.p_memsz), isExecutable: header.p_flags & UInt32(PF_X) != 0)
      }
  }

  /// Whether all of some bytes may be read here.
  func contains(_ address: UnsafeRawPointer, _ count: Int) -> Bool {
    let start = UInt(bitPattern: address)
    return segments.contains { $0.range.contains(start) && UInt(count) <= $0.range.upperBound - start }
  }

  /// Whether an address is one of the image's code.
  func containsCode(_ address: UnsafeRawPointer) -> Bool {
    segments.contains { $0.isExecutable && $0.range.contains(UInt(bitPattern: address)) }
  }

  /// Whether it is one of the toolchain's own libraries, which have no classes of the program's, but hundreds of others.
  var isOfToolchain: Bool {
    let name = path.split(separator: "/").last ?? ""
    return ["libswift", "libFoundation", "lib_Foundation", "libdispatch", "libXCTest", "libTesting"]
      .contains { name.hasPrefix($0) }
  }

  static func all() -> [LoadedImage] {
    final class Images { var all: [LoadedImage] = [] }
    let images = Images()
    _ = forEachLoadedLibrary(
      { library, _, context in
        Unmanaged<Images>.fromOpaque(context!).takeUnretainedValue().all.append(LoadedImage(library.pointee))
        return 0
      }, Unmanaged.passUnretained(images).toOpaque())
    return images.all
  }
}
