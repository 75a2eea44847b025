import Storage

/// What the merge of one row of a pull does with its embedded objects.
///
/// The presence of an object comes before its properties. An object that the pull creates has all its values from the server: what
/// was pending of an earlier one is cancelled with the write of the link.
struct EmbeddedMerge {
  /// The columns that lead to the objects that were created.
  private var created: [[Int]] = []

  /// Returns what is done with a property.
  ///
  /// - Parameters:
  ///   - usual: What the stamps say.
  ///   - value: The server's value.
  ///   - isEqual: Whether the file has the same.
  mutating func decide(
    _ usual: ValueDecision, _ property: LocalProperty, _ value: Value, isEqual: Bool,
    _ localClass: LocalClass, row: Int, in snapshot: Snapshot
  ) -> ValueDecision {
    guard let place = property.embedded else { return usual }
    if localClass.holder(at: place.path, row: row, in: snapshot) == nil { return .unchanged }
    let isCreated = created.contains { place.path.starts(with: $0) }
    let decision: ValueDecision = isCreated ? .take : usual
    guard place.isPresence else { return decision }
    // Writing the link again would count as a write of everything behind it.
    if isEqual { return decision == .keep ? .keep : .unchanged }
    if decision == .take, value == .bool(true) { created.append(property.columns) }
    return decision
  }
}
