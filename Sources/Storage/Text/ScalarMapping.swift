/// What single Unicode scalars are replaced by: themselves, another scalar, several, or nothing.
///
/// Invariants: `blockOfScalar` has an entry for each 64 scalars below `limit`, and leads to 64 entries that begin at 64
/// times its value. An entry is 0 for a scalar that stays; else bit 31 is set, and it is the place in `sequences`
/// (upper bits) and the length (lowest four) of what takes its place. The memory lives as long as the program.
struct ScalarMapping: Sendable {
  private static let limit: UInt32 = 0x30000
  nonisolated(unsafe) private let blockOfScalar: UnsafePointer<UInt16>
  nonisolated(unsafe) private let entries: UnsafePointer<UInt32>
  nonisolated(unsafe) private let sequences: UnsafePointer<Unicode.Scalar>

  /// Calls the body with each scalar that takes the place of one that is not ASCII.
  @inline(__always) func forEach(of scalar: Unicode.Scalar, _ body: (Unicode.Scalar) -> Void) {
    if scalar.value >= Self.limit {
      body(scalar)
      return
    }
    let block = Int(blockOfScalar[Int(scalar.value >> 6)])
    let entry = entries[block &<< 6 &+ Int(scalar.value & 63)]
    if entry == 0 {
      body(scalar)
      return
    }
    let start = Int((entry & 0x7FFF_FFFF) >> 4)
    for place in start..<start &+ Int(entry & 15) { body(sequences[place]) }
  }

  /// - Parameter replacements: For the scalars that do not stay.
  init(_ replacements: [UInt32: [Unicode.Scalar]]) {
    var blocks = [UInt16](repeating: 0, count: Int(Self.limit >> 6))
    var entries = [UInt32](repeating: 0, count: 64)
    var sequences: [Unicode.Scalar] = []
    for (scalar, replacement) in replacements {
      let number = Int(scalar >> 6)
      if blocks[number] == 0 {
        blocks[number] = UInt16(entries.count >> 6)
        entries += [UInt32](repeating: 0, count: 64)
      }
      entries[Int(blocks[number]) << 6 + Int(scalar & 63)] =
        1 << 31 | UInt32(sequences.count) << 4 | UInt32(replacement.count)
      sequences += replacement
    }
    blockOfScalar = Self.immortal(blocks)
    self.entries = Self.immortal(entries)
    self.sequences = Self.immortal(sequences)
  }

  static func immortal<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    memory.initialize(from: elements, count: elements.count)
    return UnsafePointer(memory)
  }

  // MARK: The tables

  /// Full case folding, as Unicode defines it.
  static let caseFolding = ScalarMapping(parse(caseFoldingData))
  /// Without diacritics.
  static let baseLetters = ScalarMapping(parse(baseLetterData))
  /// Both: first without diacritics, then folded, then without those that folding brought.
  static let foldedBaseLetters: ScalarMapping = {
    var composed: [UInt32: [Unicode.Scalar]] = [:]
    let scalars = Set(parse(caseFoldingData).keys).union(parse(baseLetterData).keys)
    func append(_ scalar: Unicode.Scalar, _ mapping: ScalarMapping, _ body: (Unicode.Scalar) -> Void) {
      if scalar.isASCII {
        body(Unicode.Scalar(StringFolding.lowercasedASCII(UInt8(scalar.value))))
      } else {
        mapping.forEach(of: scalar, body)
      }
    }
    for scalar in scalars {
      var replacement: [Unicode.Scalar] = []
      baseLetters.forEach(of: Unicode.Scalar(scalar)!) { base in
        append(base, caseFolding) { folded in append(folded, baseLetters) { replacement.append($0) } }
      }
      composed[scalar] = replacement
    }
    return ScalarMapping(composed)
  }()

  /// The scalars that pairs are composed to, by both of them; Hangul syllables are not among them.
  static let compositions: [UInt64: Unicode.Scalar] = {
    var compositions: [UInt64: Unicode.Scalar] = [:]
    for (composed, pair) in parse(compositionData) {
      compositions[UInt64(pair[0].value) << 32 | UInt64(pair[1].value)] = Unicode.Scalar(composed)!
    }
    return compositions
  }()

  /// Reads tokens of the form `FIRST-LAST/STEP=TARGET+TARGET`, hexadecimal; the only target of a range goes along with
  /// the scalar. Without a target, the scalars are left out.
  private static func parse(_ data: String) -> [UInt32: [Unicode.Scalar]] {
    var replacements: [UInt32: [Unicode.Scalar]] = [:]
    for token in data.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let sides = token.split(separator: "=", omittingEmptySubsequences: false)
      let targets = sides[1].split(separator: "+").map { UInt32($0, radix: 16)! }
      let scalars = HexadecimalRange(sides[0])
      for scalar in stride(from: scalars.first, through: scalars.last, by: scalars.step) {
        let offset = targets.count == 1 ? scalar - scalars.first : 0
        replacements[scalar] = targets.map { Unicode.Scalar($0 + offset)! }
      }
    }
    return replacements
  }
}

/// `FIRST`, `FIRST-LAST` or `FIRST-LAST/STEP` in hexadecimal digits.
struct HexadecimalRange {
  let first: UInt32
  let last: UInt32
  let step: Int

  init(_ text: Substring) {
    let parts = text.split(separator: "/")
    let bounds = parts[0].split(separator: "-").map { UInt32($0, radix: 16)! }
    first = bounds[0]
    last = bounds.last!
    step = parts.count > 1 ? Int(parts[1])! : 1
  }
}
