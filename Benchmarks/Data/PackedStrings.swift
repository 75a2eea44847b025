/// Strings as UTF-8, end to end in one buffer, for the C interfaces of the peers: binding one of them
/// costs no conversion and no allocation.
struct PackedStrings {
  private(set) var bytes: [CChar] = []
  private(set) var offsets: [Int] = [0]

  var count: Int { offsets.count - 1 }

  init() {}

  init(_ strings: some Sequence<String>) {
    for string in strings {
      append(string)
    }
  }

  mutating func append(_ string: String) {
    bytes.append(contentsOf: string.utf8.lazy.map(CChar.init(bitPattern:)))
    offsets.append(bytes.count)
  }

  /// Lends the strings as pointers that stay valid for the length of `body`.
  func withPointers<Result>(_ body: (Pointers) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { bytes in
      try offsets.withUnsafeBufferPointer { offsets in
        // An array of empty strings has no buffer, but is never asked for one either.
        try body(Pointers(bytes: bytes, offsets: offsets))
      }
    }
  }

  struct Pointers {
    fileprivate let bytes: UnsafeBufferPointer<CChar>
    fileprivate let offsets: UnsafeBufferPointer<Int>

    subscript(index: Int) -> UnsafeBufferPointer<CChar> {
      UnsafeBufferPointer(rebasing: bytes[offsets[index]..<offsets[index + 1]])
    }
  }
}
