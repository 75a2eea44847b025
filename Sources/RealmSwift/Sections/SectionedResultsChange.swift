public import Foundation

/// A change of observed sections, or of one of them.
///
/// To keep a table view in step, remove the deletions and the deleted sections, then insert the new sections
/// and the insertions, and reload the modifications, which are index paths in the old version.
@frozen public enum SectionedResultsChange<Collection> {
  /// The state of the sections when observation begins.
  case initial(Collection)
  /// Deletions, modifications and deleted sections refer to the old version, insertions and inserted sections
  /// to the new version. The elements of a deleted section are not listed, those of an inserted section are.
  /// An element or a section that moves is a deletion and an insertion.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)

  init(_ collection: Collection, _ difference: SectionDifference?) {
    guard let difference else {
      self = .initial(collection)
      return
    }
    self = .update(
      collection, deletions: difference.deletions.sorted(), insertions: difference.insertions.sorted(),
      modifications: difference.modifications.sorted(), sectionsToInsert: difference.sectionsToInsert,
      sectionsToDelete: difference.sectionsToDelete)
  }
}

/// The former name of ``SectionedResultsChange``.
@available(*, deprecated, renamed: "SectionedResultsChange")
public typealias RealmSectionedResultsChange = SectionedResultsChange
