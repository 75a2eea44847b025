import CSwiftRuntime
import LibC

/// The slow way to find the classes of images: by the symbols in their files.
///
/// A class that is not generic has a symbol for its metadata, "$s...CMf", and one for the function that gives it,
/// "$s...CMa" (swift/docs/ABI/Mangling.rst). Release builds keep the symbols of types; strip(1) takes them away.
enum ClassSymbols {
  /// The classes that are not generic. Nil when the file of an image that has types has no symbols.
  static func classes(in images: [LoadedImage]) -> [Any.Type]? {
    var classes: [Any.Type] = []
    for image in images {
      // The kernel's part of each program has no file.
      if !image.path.isEmpty && !image.path.contains("/") { continue }
      guard let file = ObjectFile(path: image.path.isEmpty ? "/proc/self/exe" : image.path) else {
        return nil
      }
      guard file.hasSwiftTypes else { continue }
      var accessors: [String: UInt] = [:]
      var plainClasses: Set<String> = []
      let hasSymbols = file.forEachSymbol { name, address in
        if let type = typeName(name, suffix: "CMa") { accessors[type] = address }
        if let type = typeName(name, suffix: "CMf") { plainClasses.insert(type) }
      }
      if !hasSymbols { return nil }
      for type in plainClasses {
        guard let address = accessors[type], let place = UnsafeRawPointer(bitPattern: image.base &+ address),
          image.containsCode(place)
        else { continue }
        classes.append(MetadataAccessor(place).type)
      }
    }
    return classes
  }

  /// What stands before a suffix in the name of a Swift symbol; nil when it does not end that way.
  private static func typeName(_ symbol: UnsafePointer<CChar>, suffix: StaticString) -> String? {
    let count = strlen(symbol)
    guard count > 5, symbol[0] == 0x24, symbol[1] == 0x73,
      memcmp(symbol + count - 3, suffix.utf8Start, 3) == 0
    else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: symbol, count: count - 3), as: UTF8.self)
  }
}

/// The file of an image, as ELF lays it out (<elf.h>).
private final class ObjectFile {
  private let bytes: UnsafeRawBufferPointer
  private let sections: [Elf64_Shdr]
  private let names: Int

  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= MemoryLayout<Elf64_Ehdr>.size,
      let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), memory != MAP_FAILED
    else { return nil }
    bytes = UnsafeRawBufferPointer(start: memory, count: size)
    let header = bytes.loadUnaligned(as: Elf64_Ehdr.self)
    let (first, count) = (Int(header.e_shoff), Int(header.e_shnum))
    let entry = MemoryLayout<Elf64_Shdr>.size
    guard header.e_ident.0 == 0x7F, header.e_ident.4 == 2, Int(header.e_shentsize) == entry,
      first > 0, first <= size, count <= (size - first) / entry, Int(header.e_shstrndx) < count
    else {
      munmap(memory, size)
      return nil
    }
    sections = (0..<count).map { [bytes] in
      bytes.loadUnaligned(fromByteOffset: first + $0 * entry, as: Elf64_Shdr.self)
    }
    names = Int(header.e_shstrndx)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

  /// Whether it has records of Swift types.
  var hasSwiftTypes: Bool {
    sections.contains { section in
      text(Int(section.sh_name), in: sections[names]).map { strcmp($0, "swift5_type_metadata") == 0 } ?? false
    }
  }

  /// Calls the body with the name and the address of each symbol that the file defines. False when it has no table of
  /// all of them.
  func forEachSymbol(_ body: (UnsafePointer<CChar>, UInt) -> Void) -> Bool {
    guard let table = sections.first(where: { $0.sh_type == SHT_SYMTAB }), Int(table.sh_link) < sections.count
    else { return false }
    let entry = MemoryLayout<Elf64_Sym>.size
    for index in 0..<Int(table.sh_size) / entry {
      let place = Int(table.sh_offset) + index * entry
      guard place + entry <= bytes.count else { return false }
      let symbol = bytes.loadUnaligned(fromByteOffset: place, as: Elf64_Sym.self)
      guard symbol.st_shndx != 0, let name = text(Int(symbol.st_name), in: sections[Int(table.sh_link)])
      else { continue }
      body(name, UInt(symbol.st_value))
    }
    return true
  }

  /// A text in a section of texts.
  private func text(_ offset: Int, in section: Elf64_Shdr) -> UnsafePointer<CChar>? {
    let end = Int(section.sh_offset) + Int(section.sh_size)
    // The last of them ends with a zero.
    guard offset < Int(section.sh_size), end <= bytes.count, bytes[end - 1] == 0 else { return nil }
    return (bytes.baseAddress! + Int(section.sh_offset) + offset).assumingMemoryBound(to: CChar.self)
  }
}
