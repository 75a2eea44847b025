import CSwiftRuntime
import LibC

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

  // MARK: Finding images

  static func all() -> [LoadedImage] { found { _ in true } }

  /// All but the toolchain's own libraries, which have no classes of the program's, but hundreds of others.
  static func ofProgram() -> [LoadedImage] { found { !isOfToolchain($0) } }

  /// The one in which some bytes are.
  static func containing(_ address: UnsafeRawPointer, _ count: Int) -> LoadedImage? {
    found(limit: 1) { LoadedImage($0).contains(address, count) }.first
  }

  /// A process asks when it opens its first file: what it does not want is not copied.
  private static func found(
    limit: Int = .max, _ isWanted: @escaping (LoadedLibrary) -> Bool
  ) -> [LoadedImage] {
    final class Images {
      var found: [LoadedImage] = []
      let limit: Int
      let isWanted: (LoadedLibrary) -> Bool

      init(_ limit: Int, _ isWanted: @escaping (LoadedLibrary) -> Bool) {
        self.limit = limit
        self.isWanted = isWanted
      }
    }
    let images = Images(limit, isWanted)
    _ = forEachLoadedLibrary(
      { library, _, context in
        let images = Unmanaged<Images>.fromOpaque(context!).takeUnretainedValue()
        if images.isWanted(library.pointee) { images.found.append(LoadedImage(library.pointee)) }
        return images.found.count < images.limit ? 0 : 1
      }, Unmanaged.passUnretained(images).toOpaque())
    return images.found
  }

  private static let toolchainNames: [StaticString] = [
    "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libXCTest", "libTesting",
  ]

  private static func isOfToolchain(_ library: LoadedLibrary) -> Bool {
    guard let path = library.name else { return false }
    let name = strrchr(path, 0x2F).map { UnsafePointer($0 + 1) } ?? path
    return toolchainNames.contains { strncmp(name, $0.utf8Start, $0.utf8CodeUnitCount) == 0 }
  }
}
