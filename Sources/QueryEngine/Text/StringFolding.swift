import Storage

/// Makes strings equal that differ only in what `[c]` and `[d]` ignore.
///
/// The rule, which knows no language and works scalar by scalar:
/// - `[c]`: each scalar is replaced by its full case folding as Unicode defines it, taken from its mappings: lower
///   case of upper case of lower case. So ß equals ss and SS, final sigma equals sigma, İ equals i with a dot
///   above. Dotless ı, which would become i that way, stays itself, as in Unicode's folding.
/// - `[d]`: each scalar is decomposed canonically, and what is then a nonspacing mark is dropped. So é, and e with a
///   combining accent, equal e; letters that have no decomposition, as ø and ł, stay themselves.
/// - `[cd]`: first `[d]`, then `[c]`, then `[d]` again for the marks that folding brought.
struct StringFolding: Sendable {
  let ignoresCase: Bool
  let ignoresDiacritics: Bool

  /// nil when nothing is to be folded.
  init?(_ options: StringOptions) {
    ignoresCase = options.contains(.caseInsensitive)
    ignoresDiacritics = options.contains(.diacriticInsensitive)
    if !ignoresCase && !ignoresDiacritics { return nil }
  }

  /// The folded bytes, or nil for bytes that are not UTF-8.
  func fold(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    if bytes.isASCII {
      return ignoresCase ? bytes.map(Self.lowercasedASCII) : Array(bytes)
    }
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count)
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): append(scalar, to: &folded)
      case .emptyInput: return folded
      case .error: return nil
      }
    }
  }

  @inline(__always) static func lowercasedASCII(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  private func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    if scalar.isASCII {
      let byte = UInt8(scalar.value)
      folded.append(ignoresCase ? Self.lowercasedASCII(byte) : byte)
      return
    }
    if ignoresDiacritics {
      BaseLetters.forEach(of: scalar) { base in
        if ignoresCase {
          Self.caseFolded(base) {
            BaseLetters.forEach(of: $0) { folded.append(contentsOf: UTF8.encode($0)!) }
          }
        } else {
          folded.append(contentsOf: UTF8.encode(base)!)
        }
      }
    } else {
      Self.caseFolded(scalar) { folded.append(contentsOf: UTF8.encode($0)!) }
    }
  }

  private static func caseFolded(_ scalar: Unicode.Scalar, _ body: (Unicode.Scalar) -> Void) {
    if scalar == "\u{131}" {
      body(scalar)
      return
    }
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        for folded in upper.properties.lowercaseMapping.unicodeScalars { body(folded) }
      }
    }
  }
}
