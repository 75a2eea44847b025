// Lists and dictionaries as bytes, and back. All in loops: the writer of the file determines how deep they are nested.

/// Writes lists and dictionaries with all that is in them.
enum NestedEncoding {
  private enum Task {
    /// A value behind its length.
    case sized(Value)
    case entry(Value.DictionaryEntry)
    /// Fills in the length of what was written behind this place.
    case length(at: Int)
  }

  /// - Parameter identity: Returns the identity of the next list or dictionary. Each comes before those in it.
  static func append(_ value: Value, to writer: inout ByteWriter, _ identity: () -> UInt64?) {
    var tasks: [Task] = []
    begin(value, &writer, &tasks, identity)
    while let task = tasks.popLast() {
      switch task {
      case .sized(let value): appendSized(value, &writer, &tasks, identity)
      case .entry(let entry):
        writer.append(entry.key)
        appendSized(entry.value, &writer, &tasks, identity)
      case .length(let place):
        writer.replace(at: place, with: UInt32(writer.bytes.count - place - MemoryLayout<UInt32>.size))
      }
    }
  }

  private static func appendSized(
    _ value: Value, _ writer: inout ByteWriter, _ tasks: inout [Task], _ identity: () -> UInt64?
  ) {
    tasks.append(.length(at: writer.bytes.count))
    writer.append(UInt32(0))
    begin(value, &writer, &tasks, identity)
  }

  /// Writes a value without the elements, which become tasks.
  private static func begin(
    _ value: Value, _ writer: inout ByteWriter, _ tasks: inout [Task], _ identity: () -> UInt64?
  ) {
    switch value {
    case .list(let elements):
      NestedHeader(hasKeys: false, identity: identity(), count: elements.count).append(to: &writer)
      tasks += elements.reversed().map(Task.sized)
    case .dictionary(let entries):
      NestedHeader(hasKeys: true, identity: identity(), count: entries.count).append(to: &writer)
      tasks += entries.reversed().map(Task.entry)
    default: value.append(to: &writer)
    }
  }
}

/// Reads lists and dictionaries with all that is in them; what is damaged is null.
enum NestedDecoding {
  /// What is nested deeper counts as damaged. Swift releases values in a recursion, for which the stacks of small threads
  /// have room for some more; what can be written has 1,000 levels.
  static let deepestNesting = 1_200

  /// A list or dictionary of which not all elements are read.
  private struct Container {
    let hasKeys: Bool
    var remaining: Int
    var reader: ByteReader
    var key = ""
    var elements: [Value] = []
    var entries: [Value.DictionaryEntry] = []

    /// Nil for what is neither, or ends too soon.
    init?(_ bytes: UnsafeRawBufferPointer) {
      reader = ByteReader(bytes)
      guard let header = NestedHeader(&reader) else { return nil }
      hasKeys = header.hasKeys
      remaining = header.count
    }

    /// The bytes of the next element; nil when the bytes end too soon.
    mutating func next() -> UnsafeRawBufferPointer? {
      remaining -= 1
      if hasKeys {
        guard let key = reader.readString() else { return nil }
        self.key = key
      }
      return reader.readSized()
    }

    mutating func add(_ value: Value) {
      if hasKeys {
        entries.append(Value.DictionaryEntry(key: key, value: value))
      } else {
        elements.append(value)
      }
    }

    var value: Value { hasKeys ? .dictionary(entries) : .list(elements) }
  }

  static func value(_ bytes: UnsafeRawBufferPointer) -> Value {
    guard let outermost = Container(bytes) else { return .null }
    var containers = [outermost]
    while true {
      let last = containers.count - 1
      let finished: Value
      if containers[last].remaining == 0 {
        finished = containers[last].value
      } else if let element = containers[last].next() {
        if !NestedHeader.begins(element) {
          containers[last].add(Value(mixed: element))
        } else if containers.count < deepestNesting, let container = Container(element) {
          containers.append(container)
        } else {
          containers[last].add(.null)
        }
        continue
      } else {
        finished = .null
      }
      containers.removeLast()
      if containers.isEmpty { return finished }
      containers[containers.count - 1].add(finished)
    }
  }
}

extension Value {
  /// All rows that the value links to, nested ones included.
  package func forEachLink(_ body: (_ table: Int, _ row: Int) -> Void) {
    if case .link(let table, let row) = self { return body(table, row) }
    var rest: [Value] = [self]
    while let value = rest.popLast() {
      switch value {
      case .link(let table, let row): body(table, row)
      case .list(let elements): rest += elements.reversed()
      case .dictionary(let entries): rest += entries.reversed().map(\.value)
      default: break
      }
    }
  }

  /// The value with the links to one row replaced by null.
  package func removingLinks(table: Int, row: Int) -> Value {
    enum Task {
      case visit(Value)
      case list(count: Int)
      case dictionary([DictionaryEntry])
    }
    var done: [Value] = []
    var tasks = [Task.visit(self)]
    while let task = tasks.popLast() {
      switch task {
      case .visit(.link(table, row)): done.append(.null)
      case .visit(.list(let elements)):
        tasks.append(.list(count: elements.count))
        tasks += elements.reversed().map(Task.visit)
      case .visit(.dictionary(let entries)):
        tasks.append(.dictionary(entries))
        tasks += entries.reversed().map { Task.visit($0.value) }
      case .visit(let value): done.append(value)
      case .list(let count):
        let elements = Array(done.suffix(count))
        done.removeLast(count)
        done.append(.list(elements))
      case .dictionary(let entries):
        let values = done.suffix(entries.count)
        let new = zip(entries, values).map { DictionaryEntry(key: $0.key, value: $1) }
        done.removeLast(entries.count)
        done.append(.dictionary(new))
      }
    }
    return done[0]
  }
}
