/// Suggestions for names that do not exist.
enum Spelling {
  /// Returns a question that names the closest of the names; an empty text when none is close.
  ///
  /// A name is close when few characters differ, or when it begins with the given one.
  ///
  /// - Parameter mark: Punctuation before the question; without it the question is a sentence.
  static func suggestion(for name: String, among names: [String], after mark: String? = nil) -> String {
    guard let candidate = closest(to: name.lowercased(), among: names) else { return "" }
    return mark.map { "\($0) did you mean '\(candidate)'?" } ?? " Did you mean '\(candidate)'?"
  }

  private static func closest(to name: String, among names: [String]) -> String? {
    let nearest = names.map { ($0, distance(name, $0.lowercased())) }.min { $0.1 < $1.1 }
    if let (candidate, distance) = nearest, distance <= max(1, name.count / 3) { return candidate }
    if name.count < 3 { return nil }
    return names.filter { $0.lowercased().hasPrefix(name) }.min { $0.count < $1.count }
  }

  /// Number of characters to add, remove or replace.
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
