import LibC

/// A text that equals another one only when their bytes do. Swift's own texts are equal, too, when Unicode takes them for the
/// same, as `é` and `e` with an accent behind it; but those are two names, of two values.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (first: ExactText, second: ExactText) -> Bool { first.text.isExactly(second.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether both have the same bytes.
  package func isExactly(_ other: String) -> Bool {
    if utf8.count != other.utf8.count { return false }
    let isEqual = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        bytes.isEmpty || memcmp(bytes.baseAddress!, others.baseAddress!, bytes.count) == 0
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
