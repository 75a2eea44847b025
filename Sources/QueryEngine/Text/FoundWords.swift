import Storage

/// The words of a text that a search matches, for highlighting.
package struct FoundWords {
  /// Where the text's words are, in bytes.
  private var words: [Range<Int>] = []
  /// The number of the search's word that each one is, or -1.
  private var terms: [Int] = []
  private let termCount: Int
  private let byteCount: Int

  /// Words that the search wants to stand together are found only where they do; excluded ones are not.
  package init(of search: FullTextSearch, in text: UnsafeRawBufferPointer) {
    termCount = search.required.count
    byteCount = text.count
    var reader = WordReader(text)
    while reader.next() { words.append(reader.start..<reader.position) }
    terms = Array(repeating: -1, count: words.count)
    let occurrences = TermOccurrences(of: search.required, in: text)
    for part in search.parts {
      if part.arrangement == .anywhere {
        for term in part.terms { mark(term, occurrences.places(of: term), search) }
      } else {
        occurrences.forEach(part) { places in
          for (term, place) in zip(part.terms, places) { mark(term, [place], search) }
          return true
        }
      }
    }
  }

  private mutating func mark(_ term: FullTextSearch.Term, _ places: [Int], _ search: FullTextSearch) {
    let number = search.required.firstIndex(of: term)!
    for place in places { terms[place] = number }
  }

  /// The places of all found words, in bytes, ascending.
  package var ranges: [Range<Int>] { words.indices.filter { terms[$0] >= 0 }.map { words[$0] } }

  /// The part of the text, in bytes, with the most different words of the search; among equal ones that with the most of
  /// them, and then the first.
  ///
  /// - Parameter wordCount: How many words it has at most, at least 1.
  package func excerpt(wordCount: Int) -> Range<Int> {
    if words.count <= wordCount { return 0..<byteCount }
    var counts = [Int](repeating: 0, count: termCount)
    var (different, all) = (0, 0)
    var best = (different: -1, all: -1, first: 0)
    for (place, term) in terms.enumerated() {
      if term >= 0 {
        counts[term] += 1
        all += 1
        if counts[term] == 1 { different += 1 }
      }
      let first = place - wordCount + 1
      if first > 0, terms[first - 1] >= 0 {
        counts[terms[first - 1]] -= 1
        all -= 1
        if counts[terms[first - 1]] == 0 { different -= 1 }
      }
      if first >= 0, (different, all) > (best.different, best.all) { best = (different, all, first) }
    }
    let end = best.first + wordCount
    return
      (best.first == 0 ? 0 : words[best.first].lowerBound)..<(end == words.count
      ? byteCount : words[end - 1].upperBound)
  }
}
