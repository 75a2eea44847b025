/// What the values of a column have to know beside their leaves.
final class ValueContext {
  let space: NodeSpace
  let place: Place
  private let tables: TableNumbers
  /// Where plain links lead.
  private let target: Int?
  /// Whether dictionaries are trees of keys and of values; before format 23 they were clusters.
  let hasDictionariesOfTrees: Bool
  /// Keeps the bytes.
  private let content: FileContent
  private let counts: ReadingCounts
  var losses: Losses? { counts.losses }

  init(_ source: ValueSource, _ place: Place, target: Int?) {
    space = source.space
    tables = source.tables
    content = source.content
    counts = source.counts
    hasDictionariesOfTrees = source.format >= 23
    self.place = place
    self.target = target
  }

  /// A link to an object of the column's target.
  func link(to key: Int64) throws -> OfficialValue {
    if key < 0 { return noLink(key) }
    guard let target else { throw Damage("a link where the property has no target") }
    return .link(table: target, key: key)
  }

  func link(toTable table: Int64, _ key: Int64) throws -> OfficialValue {
    if key < 0 { return noLink(key) }
    guard let number = tables.number(ofKey: table) else {
      throw Damage("a link to a table \(table), which is not there")
    }
    return .link(table: number, key: key)
  }

  /// -1 is null; what is below leads to an object that sync has not brought.
  private func noLink(_ key: Int64) -> OfficialValue {
    if key < -1 { counts.unresolvedLinks += 1 }
    return .null
  }
}

/// Counts of what was left out while reading, without an error.
final class ReadingCounts {
  var unresolvedLinks = 0
  /// Nil for a reader that throws at the first damage.
  let losses: Losses?

  init(losses: Losses? = nil) { self.losses = losses }
}

/// The keys of a file's tables, which links use, and their numbers.
struct TableNumbers {
  private let numbers: [Int64: Int]

  init(_ keys: [Int]) {
    numbers = Dictionary(keys.enumerated().map { (Int64($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  func number(ofKey key: Int64) -> Int? { numbers[key] }
}

/// What values are read from.
struct ValueSource {
  let path: String
  let content: FileContent
  let space: NodeSpace
  let format: Int
  let tables: TableNumbers
  let counts: ReadingCounts
}
