public import Foundation

/// What happened to observed sections, or to one of them.
///
/// To follow a table of one's own: take out the deletions and the sections to delete, put in the sections to insert
/// and the insertions, and look again at the modifications, which are places before either.
@frozen public enum SectionedResultsChange<Collection> {
  /// The sections as they are when the observation begins.
  case initial(Collection)
  /// Deletions, modifications and sections to delete are places in the old version, insertions and sections to insert
  /// in the new one. The elements of a deleted section are not listed, those of an inserted one are. An element or a
  /// section that moves is deleted and inserted.
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

/// The former name.
@available(*, deprecated, renamed: "SectionedResultsChange")
public typealias RealmSectionedResultsChange = SectionedResultsChange
