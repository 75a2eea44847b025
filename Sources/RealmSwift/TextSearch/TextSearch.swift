import QueryEngine
import Storage

/// A search for words, as `fullTextSearch` and the operator `TEXT` have it, for texts that are at hand: to show what was
/// found in them.
///
///     let search = TextSearch("rescue* \"black forest\"")
///     let snippet = search.snippet(of: dog.biography, wordCount: 12)
///     print(snippet.text, snippet.ranges.map { snippet.text[$0] })
///
/// Cost: that of reading the text.
public struct TextSearch: Sendable, Hashable, CustomStringConvertible {
  /// The search, as it was given.
  public let description: String
  private let search: FullTextSearch

  /// A search in the language of `fullTextSearch`; every text is one.
  public init(_ text: String) {
    description = text
    search = FullTextSearch(text)
  }

  /// Whether the search finds a text.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { search.matches(UnsafeRawBufferPointer($0)) }
  }

  /// The places of the words that the search is about, ascending. Words of a phrase or of `NEAR` are among them only where
  /// they stand together. The text need not be one that the search finds.
  public func ranges(in text: String) -> [Range<String.Index>] {
    found(in: text).ranges.map { text.range($0) }
  }

  /// The part of a text that has the most different words of the search, with their places in it.
  ///
  /// - Parameters:
  ///   - text: The whole.
  ///   - wordCount: How many words the part has at most, at least 1. What is left out before and after is `…`.
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

/// A part of a text in which words were found.
public struct TextSnippet: Sendable, Hashable {
  /// The part, with `…` where something was left out.
  public let text: String
  /// The places of the found words in it, ascending.
  public let ranges: [Range<String.Index>]
}

extension String {
  /// The place of bytes that begin and end between scalars.
  fileprivate func range(_ bytes: Range<Int>) -> Range<String.Index> {
    utf8.index(startIndex, offsetBy: bytes.lowerBound)..<utf8.index(startIndex, offsetBy: bytes.upperBound)
  }
}
