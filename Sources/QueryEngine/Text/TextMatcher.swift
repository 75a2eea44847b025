import LibC
import Storage

/// A text condition prepared for many values: the pattern is folded once, and what a search says is read once.
struct TextMatcher: Sendable {
  let operation: TextOperator
  let folding: StringFolding?
  /// Folded; nil when nothing but null can satisfy or violate the condition.
  let pattern: [UInt8]?
  /// For full-text conditions.
  let search: FullTextSearch?

  init(_ operation: TextOperator, _ pattern: [UInt8]?, options: StringOptions = []) {
    self.operation = operation
    search =
      operation == .fullText ? FullTextSearch(String(decoding: pattern ?? [], as: UTF8.self)) : nil
    folding = StringFolding(options)
    if let folding, let pattern {
      // A pattern that is not text equals no text; the bytes 0xFF cannot occur in folded text.
      self.pattern = pattern.withUnsafeBytes { folding.fold($0) } ?? [0xFF]
    } else {
      self.pattern = pattern
    }
  }

  /// Whether a value that is not null satisfies the condition.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let folding else { return matchesFolded(bytes) }
    if bytes.count <= 256 && bytes.isASCII {
      if !folding.ignoresCase { return matchesFolded(bytes) }
      if let pattern {
        // Only as many letters have to be folded as the pattern has.
        switch operation {
        case .beginsWith: return !pattern.isEmpty && bytes.equalsIgnoringASCIICase(pattern, at: 0)
        case .endsWith:
          return !pattern.isEmpty && bytes.equalsIgnoringASCIICase(pattern, at: bytes.count - pattern.count)
        case .equal: return bytes.count == pattern.count && bytes.equalsIgnoringASCIICase(pattern, at: 0)
        case .notEqual, .contains, .like, .fullText: break
        }
      }
      return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { folded in
        for index in 0..<bytes.count { folded[index] = StringFolding.lowercasedASCII(bytes[index]) }
        return matchesFolded(UnsafeRawBufferPointer(folded))
      }
    }
    guard let folded = folding.fold(bytes) else { return operation == .notEqual }
    return folded.withUnsafeBytes { matchesFolded($0) }
  }

  /// Whether bytes that are folded already satisfy the condition.
  func matchesFolded(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let pattern else { return operation == .notEqual }
    return pattern.withUnsafeBytes { pattern in
      switch operation {
      case .equal: bytes.equals(pattern)
      case .notEqual: !bytes.equals(pattern)
      case .beginsWith:
        pattern.count > 0 && bytes.count >= pattern.count
          && memcmp(bytes.baseAddress!, pattern.baseAddress!, pattern.count) == 0
      case .endsWith:
        pattern.count > 0 && bytes.count >= pattern.count
          && memcmp(bytes.baseAddress! + (bytes.count - pattern.count), pattern.baseAddress!, pattern.count)
            == 0
      case .contains:
        pattern.count > 0 && bytes.firstOccurrence(of: pattern, from: 0) != nil
      case .like: bytes.isLike(pattern)
      case .fullText: search!.matches(bytes)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether ASCII text has a folded pattern at a place, which may be out of bounds.
  @inline(__always) fileprivate func equalsIgnoringASCIICase(_ pattern: [UInt8], at start: Int) -> Bool {
    if start < 0 || count - start < pattern.count { return false }
    for index in 0..<pattern.count
    where StringFolding.lowercasedASCII(self[start &+ index]) != pattern[index] {
      return false
    }
    return true
  }

  @inline(__always) var isASCII: Bool {
    var union: UInt8 = 0
    for byte in self { union |= byte }
    return union < 0x80
  }

  @inline(__always) func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && (count == 0 || memcmp(baseAddress!, other.baseAddress!, count) == 0)
  }

  /// Negative, zero or positive, as the bytes come before, equal or come after the others.
  @inline(__always) func order(_ other: UnsafeRawBufferPointer) -> Int {
    let common = Swift.min(count, other.count)
    if common > 0 {
      let order = memcmp(baseAddress!, other.baseAddress!, common)
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }

  /// The first place at or after `start` where other bytes, at least one, are found.
  func firstOccurrence(of pattern: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let last = count - pattern.count
    var position = start
    while position <= last {
      let first = memchr(baseAddress! + position, Int32(pattern[0]), last - position + 1)
      guard let first else { return nil }
      position = UnsafeRawPointer(first) - baseAddress!
      if memcmp(first, pattern.baseAddress!, pattern.count) == 0 { return position }
      position += 1
    }
    return nil
  }
}
