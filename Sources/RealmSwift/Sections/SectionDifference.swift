import Foundation
import Storage

/// How sections changed, from how the result that they are made of changed.
struct SectionDifference {
  private(set) var deletions: [IndexPath] = []
  private(set) var insertions: [IndexPath] = []
  private(set) var modifications: [IndexPath] = []
  private(set) var sectionsToInsert = IndexSet()
  private(set) var sectionsToDelete = IndexSet()

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }

  /// - Parameter only: The one section whose changes are wanted; nil for all.
  init<Key>(
    from old: SectionContents<Key>, to new: SectionContents<Key>, _ changes: CollectionChangeSet,
    only: ValueIdentity? = nil
  ) {
    /// For each old section its new place, if it keeps it.
    var places = [Int?](repeating: nil, count: old.sections.count)
    if let only {
      let (oldPlace, newPlace) = (old.index(of: only), new.index(of: only))
      if let oldPlace, let newPlace {
        places[oldPlace] = newPlace
      } else {
        if let oldPlace { sectionsToDelete.insert(oldPlace) }
        if let newPlace { sectionsToInsert.insert(newPlace) }
      }
      addElements(
        old, new, changes, places, isOldWanted: { $0 == oldPlace }, isNewWanted: { $0 == newPlace })
    } else {
      let sections = SequenceDifference(from: old.sections.map(\.identity), to: new.sections.map(\.identity))
      for range in sections.deletions.ranges { sectionsToDelete.insert(integersIn: range) }
      for range in sections.insertions.ranges { sectionsToInsert.insert(integersIn: range) }
      var newPlace = 0
      for oldPlace in places.indices where !sectionsToDelete.contains(oldPlace) {
        while sectionsToInsert.contains(newPlace) { newPlace += 1 }
        places[oldPlace] = newPlace
        newPlace += 1
      }
      addElements(old, new, changes, places, isOldWanted: { _ in true }, isNewWanted: { _ in true })
    }
  }

  /// Walks the old and the new result side by side: the elements that were neither deleted nor inserted are the same
  /// in the same order.
  private mutating func addElements<Key>(
    _ old: SectionContents<Key>, _ new: SectionContents<Key>, _ changes: CollectionChangeSet,
    _ places: [Int?],
    isOldWanted: (Int) -> Bool, isNewWanted: (Int) -> Bool
  ) {
    var oldWalk = Walk(old.sectionOfElement, sections: old.sections.count, changes.deletions)
    var newWalk = Walk(new.sectionOfElement, sections: new.sections.count, changes.insertions)
    var modified = changes.modifications.members[...]
    while !oldWalk.isAtEnd || !newWalk.isAtEnd {
      let position = oldWalk.position
      let isDeleted = !oldWalk.isAtEnd && (oldWalk.isMarked || newWalk.isAtEnd)
      let isInserted = !isDeleted && (newWalk.isMarked || oldWalk.isAtEnd)
      let oldPlace = isInserted ? nil : oldWalk.next()
      let newPlace = isDeleted ? nil : newWalk.next()
      let isModified = oldPlace != nil && modified.first == position
      if isModified { modified.removeFirst() }
      if let oldPlace, let newPlace, places[oldPlace.section] == newPlace.section {
        if isModified && isOldWanted(oldPlace.section) { modifications.append(oldPlace) }
        continue
      }
      if let oldPlace, places[oldPlace.section] != nil, isOldWanted(oldPlace.section) {
        deletions.append(oldPlace)
      }
      if let newPlace, isNewWanted(newPlace.section) { insertions.append(newPlace) }
    }
  }

  /// A walk over a result's elements with their places in sections.
  private struct Walk {
    private let sectionOfElement: ContiguousArray<Int32>
    private var marked: ArraySlice<Int>
    private var counts: [Int]
    private(set) var position = 0

    init(_ sectionOfElement: ContiguousArray<Int32>, sections: Int, _ marked: IndexRanges) {
      self.sectionOfElement = sectionOfElement
      self.marked = marked.members[...]
      counts = Array(repeating: 0, count: sections)
    }

    var isAtEnd: Bool { position == sectionOfElement.count }
    var isMarked: Bool { marked.first == position }

    mutating func next() -> IndexPath {
      if isMarked { marked.removeFirst() }
      let section = Int(sectionOfElement[position])
      defer {
        position += 1
        counts[section] += 1
      }
      return IndexPath(item: counts[section], section: section)
    }
  }
}
