package import Storage

// What a mixed value can be on its way between file and server, besides the values that a file has: a link by the key of its
// target, and a value that cannot be read. Both are written as a dictionary with a key that contains U+0000, which PostgreSQL
// does not store, so that no realm can send such a dictionary.
extension Value {
  private static let linkMark = "\0link"
  private static let unreadableMark = "\0unreadable"

  /// Returns a link to the object of a class that has a key.
  package static func link(toClass name: String, key: Value) -> Value {
    .dictionary([DictionaryEntry(key: linkMark, value: .list([.string(name), key]))])
  }

  /// The object that the value links to by its key; nil for other values.
  package var linkedObject: (className: String, key: Value)? {
    guard case .dictionary(let entries) = self, entries.count == 1, entries[0].key == Self.linkMark,
      case .list(let parts) = entries[0].value, parts.count == 2, case .string(let name) = parts[0]
    else { return nil }
    return (name, parts[1])
  }

  /// Whether it links to an object by its key, or holds such a link.
  var hasLinkedObject: Bool {
    guard isCollection else { return false }
    var isFound = false
    _ = replacing { part in
      if part.linkedObject != nil { isFound = true }
      return isFound ? .null : nil
    }
    return isFound
  }

  /// Returns what stands in the place of a value of the server that cannot be read.
  package static func unreadable(_ reason: String) -> Value {
    .dictionary([DictionaryEntry(key: unreadableMark, value: .string(reason))])
  }

  /// Why the value cannot be read; nil for other values.
  package var unreadableReason: String? {
    guard case .dictionary(let entries) = self, entries.count == 1, entries[0].key == Self.unreadableMark,
      case .string(let reason) = entries[0].value
    else { return nil }
    return reason
  }

  /// Returns the value with some of the values in it replaced, at any depth.
  ///
  /// - Parameter replacement: Returns what stands in the place of a value, or nil to keep it. It is called for a list or
  ///   dictionary before it is for what is in there.
  func replacing(_ replacement: (Value) -> Value?) -> Value {
    converted(replacing: replacement) {
      $0
    } list: {
      .list($0)
    } dictionary: { keys, values in
      .dictionary(zip(keys, values).map { DictionaryEntry(key: $0, value: $1) })
    }
  }

  /// Converts the value, and what is in it at any depth, without recursion.
  ///
  /// - Parameters:
  ///   - replacement: Returns what stands in the place of a value, or nil to convert it. It is called for a list or dictionary
  ///     before it is for what is in there.
  ///   - single: Converts a value that is neither a list nor a dictionary.
  ///   - list: Makes a list of what its elements have become.
  ///   - dictionary: Makes a dictionary of its keys and what their values have become.
  package func converted<Result>(
    replacing replacement: (Value) -> Result?, single: (Value) -> Result, list: ([Result]) -> Result,
    dictionary: ([String], [Result]) -> Result
  ) -> Result {
    var done: [Result] = []
    var tasks = [ConversionTask.visit(self)]
    while let task = tasks.popLast() {
      switch task {
      case .visit(let value):
        if let new = replacement(value) {
          done.append(new)
        } else if case .list(let elements) = value {
          tasks.append(.list(count: elements.count))
          tasks += elements.reversed().map(ConversionTask.visit)
        } else if case .dictionary(let entries) = value {
          tasks.append(.dictionary(entries))
          tasks += entries.reversed().map { ConversionTask.visit($0.value) }
        } else {
          done.append(single(value))
        }
      case .list(let count):
        let elements = Array(done.suffix(count))
        done.removeLast(count)
        done.append(list(elements))
      case .dictionary(let entries):
        let values = Array(done.suffix(entries.count))
        done.removeLast(entries.count)
        done.append(dictionary(entries.map(\.key), values))
      }
    }
    return done[0]
  }
}

/// What is still to be done to convert a value.
private enum ConversionTask {
  case visit(Value)
  case list(count: Int)
  case dictionary([Value.DictionaryEntry])
}
