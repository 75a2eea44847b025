/// What a conversion has carried over, and what not.
package struct ConversionReport: Hashable, Sendable {
  /// Of classes that were carried over.
  package var objectCount = 0
  /// Classes whose objects were only meant for a server, and how many objects they had.
  package var asymmetricClasses: [String: Int] = [:]
  /// Tables of the engine and of sync clients.
  package var otherTables: [String] = []
  /// Links to objects that sync had not brought: null, and left out of lists and sets.
  package var unresolvedLinks = 0
  /// Links to objects that are not in the file, or not carried over: as unresolved ones.
  package var brokenLinks = 0
  /// Elements of sets that equal others once strings are Unicode and dates have the precision of `Date`.
  package var equalElements = 0
  /// Embedded objects that no object had.
  package var orphans = 0

  package init() {}

  /// Whether everything of the user's is in the new file.
  package var isComplete: Bool {
    asymmetricClasses.values.allSatisfy { $0 == 0 } && unresolvedLinks == 0 && brokenLinks == 0
      && equalElements == 0 && orphans == 0
  }
}
