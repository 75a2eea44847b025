/// Makes one form of lists and dictionaries that are nested in each other from another one, in a loop: how deep they are
/// nested is up to the program, and its stack may be small.
enum NestedConversion<Source, Target> {
  /// What a value turns out to be.
  enum Content {
    case single(Target)
    case list([Source])
    case dictionary([(key: String, value: Source)])
  }

  private enum Task {
    case visit(Source, level: Int)
    case list(from: Int)
    case dictionary(keys: [String])
  }

  /// - Parameters:
  ///   - level: How many collections there are around the value.
  ///   - content: Looks into a value, with as many collections around it. Nil ends the conversion.
  static func convert(
    _ value: Source, level: Int = 0, list: ([Target]) -> Target,
    dictionary: ([(key: String, value: Target)]) -> Target,
    content: (_ value: Source, _ level: Int) throws -> Content?
  ) rethrows -> Target? {
    var done: [Target] = []
    var tasks = [Task.visit(value, level: level)]
    while let task = tasks.popLast() {
      switch task {
      case .visit(let value, let level):
        guard let content = try content(value, level) else { return nil }
        switch content {
        case .single(let target): done.append(target)
        case .list(let elements):
          tasks.append(.list(from: done.count))
          tasks += elements.reversed().map { .visit($0, level: level + 1) }
        case .dictionary(let entries):
          tasks.append(.dictionary(keys: entries.map(\.key)))
          tasks += entries.reversed().map { .visit($0.value, level: level + 1) }
        }
      case .list(let start):
        let elements = Array(done[start...])
        done.removeSubrange(start...)
        done.append(list(elements))
      case .dictionary(let keys):
        let entries = zip(keys, done.suffix(keys.count)).map { (key: $0, value: $1) }
        done.removeLast(keys.count)
        done.append(dictionary(entries))
      }
    }
    return done[0]
  }
}

extension NestedConversion where Target == StoredValue {
  /// To what is stored.
  static func stored(
    _ value: Source, level: Int = 0, content: (_ value: Source, _ level: Int) throws -> Content?
  ) rethrows -> StoredValue? {
    try convert(
      value, level: level, list: { .list($0) },
      dictionary: { .dictionary($0.map { StoredValue.DictionaryEntry(key: $0.key, value: $0.value) }) },
      content: content)
  }
}

extension NestedConversion where Target == AnyRealmValue {
  /// To lists and maps in memory.
  static func unmanaged(
    _ value: Source, level: Int = 0, content: (_ value: Source, _ level: Int) throws -> Content?
  ) rethrows -> AnyRealmValue? {
    try convert(
      value, level: level, list: { .fromArray($0) },
      dictionary: { .fromDictionary(Dictionary($0.map { ($0.key, $0.value) }) { _, last in last }) },
      content: content)
  }
}
