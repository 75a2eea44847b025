/// What somebody may have meant who wrote a name that does not exist.
enum Spelling {
  /// A question that names the closest of the names; empty when none is close.
  ///
  /// - Parameter mark: What stands before it: without one it is a sentence.
  static func suggestion(for name: String, among names: [String], after mark: String? = nil) -> String {
    let nearest = names.map { ($0, distance(name.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
    guard let (candidate, distance) = nearest, distance <= max(1, name.count / 3) else { return "" }
    return mark.map { "\($0) did you mean '\(candidate)'?" } ?? " Did you mean '\(candidate)'?"
  }

  /// How many characters have to be added, removed or replaced.
  private static func distance(_ first: String, _ second: String) -> Int {
    let other = Array(second)
    var row = Array(0...other.count)
    for (position, character) in first.enumerated() {
      var diagonal = row[0]
      row[0] = position + 1
      for column in other.indices {
        let changed = diagonal + (other[column] == character ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, min(row[column], row[column + 1]) + 1)
      }
    }
    return row[other.count]
  }
}
