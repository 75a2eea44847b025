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

  /// What of the user's is not in the new file, a sentence for each kind.
  package var omissions: [String] {
    var sentences = asymmetricClasses.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { name, count in
      "The class '\(name)' and its objects (\(count)) were left out: they are only meant for a server."
    }
    let counts = [
      ("links to objects that sync had not brought are null, or left out of lists and sets", unresolvedLinks),
      ("links to objects that are not there are null, or left out of lists and sets", brokenLinks),
      (
        "elements of sets were left out: with the precision of Date, or as Unicode, they equal others",
        equalElements
      ),
      ("embedded objects that no object had were left out", orphans),
    ]
    for (what, count) in counts where count > 0 { sentences.append("\(count) \(what).") }
    return sentences
  }
}
