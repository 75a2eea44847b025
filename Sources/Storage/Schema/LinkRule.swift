/// What the deletion of a row means for the rows at the other ends of its links.
///
/// The raw values are part of the file format and equal those of the public `DeleteRule`.
package enum LinkRule: UInt8, Sendable, Hashable {
  /// Links to a deleted row become null or leave their collections; what a deleted row linked to stays.
  case nullify = 0
  /// What a deleted row linked to is deleted with it.
  case cascade = 1
  /// Deletes the linked row with the linking one unless another row owns it: links to it by a column with this rule or the
  /// former. What is embedded in a row counts as the row itself.
  case cascadeUnlessShared = 2
  /// As long as a row links to another by such a column, the other cannot be deleted.
  case deny = 3

  /// Whether the rows that a column links to belong to the row that does.
  var isOwning: Bool { self == .cascade || self == .cascadeUnlessShared }
}
