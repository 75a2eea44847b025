import QueryEngine
import Storage

/// A full-text search in the syntax of `fullTextSearch` and the operator `TEXT`, applied to texts in memory:
/// to highlight matches in a result.
///
/// ```swift
/// let search = TextSearch("scree* \"wooden bridge\"")
/// let snippet = search.snippet(of: trail.notes, wordCount: 12)
/// print(snippet.text, snippet.ranges.map { snippet.text[$0] })
/// ```
///
/// Cost: reading the text.
public struct TextSearch: Sendable, Hashable, CustomStringConvertible {
  /// The text of the search.
  public let description: String
  private let search: FullTextSearch

  /// Creates a search in the syntax of `fullTextSearch`. Every text is a valid search.
  public init(_ text: String) {
    description = text
    search = FullTextSearch(text)
  }

  /// Returns whether the search matches a text.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { search.matches(UnsafeRawBufferPointer($0)) }
  }

  /// Returns the ranges of the matched words, ascending. Words of a phrase or of `NEAR` are included only
  /// where they occur together. The search need not match the text as a whole.
  public func ranges(in text: String) -> [Range<String.Index>] {
    found(in: text).ranges.map { text.range($0) }
  }

  /// Returns the part of a text that contains the most different words of the search, with their ranges.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - wordCount: The maximum number of words in the part, at least 1. Omitted text before and after it is
  ///     `…`.
  public func snippet(of text: String, wordCount: Int = 20) -> TextSnippet {
    let found = found(in: text)
    let excerpt = found.excerpt(wordCount: Swift.max(1, wordCount))
    var part = String(text[text.range(excerpt)])
    if excerpt.lowerBound > 0 { part = "…" + part }
    if excerpt.upperBound < text.utf8.count { part += "…" }
    let inside = found.ranges.filter { excerpt.contains($0.lowerBound) }
    let shift = excerpt.lowerBound - (excerpt.lowerBound > 0 ? "…".utf8.count : 0)
    return TextSnippet(
      text: part, ranges: inside.map { part.range($0.lowerBound - shift..<$0.upperBound - shift) })
  }

  private func found(in text: String) -> FoundWords {
    var text = text
    return text.withUTF8 { FoundWords(of: search, in: UnsafeRawBufferPointer($0)) }
  }
}

/// A part of a text with the ranges of matched words.
public struct TextSnippet: Sendable, Hashable {
  /// The part, with `…` where text was omitted.
  public let text: String
  /// The ranges of the matched words in the part, ascending.
  public let ranges: [Range<String.Index>]
}

extension String {
  /// The place of bytes that begin and end between scalars.
  fileprivate func range(_ bytes: Range<Int>) -> Range<String.Index> {
    utf8.index(startIndex, offsetBy: bytes.lowerBound)..<utf8.index(startIndex, offsetBy: bytes.upperBound)
  }
}
