import Storage

extension FullTextSearch {
  /// Whether a text satisfies the search. This is the definition that the search in an index must agree with.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if isEmpty { return false }
    let terms = required + excluded.flatMap(\.terms)
    guard excluded.allSatisfy({ $0.arrangement == .anywhere }), arranged.isEmpty else {
      let occurrences = TermOccurrences(of: terms, in: text)
      return required.allSatisfy { !occurrences.places(of: $0).isEmpty }
        && arranged.allSatisfy { occurrences.satisfy($0) } && !excluded.contains { occurrences.satisfy($0) }
    }
    var isFound = [Bool](repeating: false, count: terms.count)
    WordReader.forEachWord(of: text) { word in
      for (number, term) in terms.enumerated() where !isFound[number] { isFound[number] = term.matches(word) }
    }
    if isFound.prefix(required.count).contains(false) { return false }
    var start = required.count
    for part in excluded {
      if !isFound[start..<start + part.terms.count].contains(false) { return false }
      start += part.terms.count
    }
    return true
  }
}

extension FullTextSearch.Term {
  @inline(__always) func matches(_ word: UnsafeRawBufferPointer) -> Bool {
    self.word.withUnsafeBytes { wanted in
      isBeginning
        ? word.count >= wanted.count
          && UnsafeRawBufferPointer(rebasing: word[..<wanted.count]).equals(wanted) : word.equals(wanted)
    }
  }
}

/// Where the words of a search stand in a text, which is the first, second and so on word of it.
struct TermOccurrences {
  private let terms: [FullTextSearch.Term]
  private var places: [[Int]]
  /// The number of words of the text.
  private(set) var wordCount = 0

  /// - Parameter terms: May repeat each other.
  init(of terms: [FullTextSearch.Term], in text: UnsafeRawBufferPointer) {
    self.terms = terms
    places = Array(repeating: [], count: terms.count)
    WordReader.forEachWord(of: text) { word in
      for (number, term) in terms.enumerated() where term.matches(word) { places[number].append(wordCount) }
      wordCount += 1
    }
  }

  /// Ascending.
  func places(of term: FullTextSearch.Term) -> [Int] {
    terms.firstIndex(of: term).map { places[$0] } ?? []
  }

  func satisfy(_ part: FullTextSearch.Part) -> Bool {
    var isTrue = false
    forEach(part) { _ in
      isTrue = true
      return false
    }
    return isTrue
  }

  /// Calls `body` with the places of the words of a part, in the part's order, wherever it is true, until it returns false.
  func forEach(_ part: FullTextSearch.Part, _ body: ([Int]) -> Bool) {
    let lists = part.terms.map { places(of: $0) }
    if lists.contains(where: \.isEmpty) { return }
    switch part.arrangement {
    case .anywhere: _ = body(lists.map { $0[0] })
    case .consecutive:
      for first in lists[0] {
        let row = Array(first..<first + lists.count)
        if zip(row, lists).allSatisfy({ $1.containsAscending($0) }), !body(row) { return }
      }
    case .near(let distance): forEachWindow(lists, distance, body)
    }
  }

  /// The narrowest windows that have a place of each list: the list whose place is the least moves on.
  private func forEachWindow(_ lists: [[Int]], _ distance: Int, _ body: ([Int]) -> Bool) {
    var positions = [Int](repeating: 0, count: lists.count)
    while true {
      let window = zip(lists, positions).map { $0[$1] }
      let (first, last) = (window.min()!, window.max()!)
      // Words that are asked for twice may be the same one.
      if last - first + 1 - Set(window).count <= distance, !body(window) { return }
      let least = window.firstIndex(of: first)!
      positions[least] += 1
      if positions[least] == lists[least].count { return }
    }
  }
}

extension [Int] {
  fileprivate func containsAscending(_ number: Int) -> Bool {
    let place = indices.partitioningIndex { self[$0] >= number }
    return place < count && self[place] == number
  }
}
