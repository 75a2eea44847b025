package import Storage

/// A mixed value of the server that is not in the form that realms write.
struct UnreadableMixed: Error {
  /// What is wrong with it, as the end of a sentence.
  var reason: String

  init(_ reason: String) { self.reason = reason }
}

extension ServerMixed {
  /// Reads what `bytes(of:)` wrote, or an SQL program in the same form. What cannot be read is `Value.unreadable`.
  package static func value(_ bytes: UnsafeRawBufferPointer) -> Value {
    do throws(UnreadableMixed) {
      return try value(JSONTokens(bytes))
    } catch {
      return .unreadable(error.reason)
    }
  }

  /// A list or dictionary of which not all elements are read.
  private struct Container {
    var isDictionary: Bool
    /// The next token, and the one that ends the container.
    var next: Int
    var end: Int
    var key = ""
    var elements: [Value] = []
    var entries: [Value.DictionaryEntry] = []

    mutating func add(_ value: Value) {
      if isDictionary {
        entries.append(.init(key: key, value: value))
      } else {
        elements.append(value)
      }
    }

    /// Dictionaries of a file are sorted.
    var value: Value {
      isDictionary
        ? .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) : .list(elements)
    }
  }

  private enum Begun {
    case scalar(Value)
    case container(Container)
  }

  private static func value(_ json: JSONTokens) throws(UnreadableMixed) -> Value {
    var containers: [Container] = []
    var begun = try begin(0, json)
    while true {
      switch begun {
      case .container(let container):
        guard containers.count < deepest else {
          throw UnreadableMixed("lists and dictionaries are nested deeper than \(deepest) times")
        }
        containers.append(container)
      case .scalar(let value):
        if containers.isEmpty { return value }
        containers[containers.count - 1].add(value)
      }
      while let last = containers.last, last.next == last.end {
        containers.removeLast()
        if containers.isEmpty { return last.value }
        containers[containers.count - 1].add(last.value)
      }
      let top = containers.count - 1
      if containers[top].isDictionary, case .key(let key) = json.tokens[containers[top].next] {
        containers[top].key = key
        containers[top].next += 1
      }
      let start = containers[top].next
      containers[top].next = json.ends[start]
      begun = try begin(start, json)
    }
  }

  private static func begin(_ start: Int, _ json: JSONTokens) throws(UnreadableMixed) -> Begun {
    switch json.tokens[start] {
    case .null: return .scalar(.null)
    case .beginObject: break
    default: throw UnreadableMixed("a value is no object with \"t\" and \"v\"")
    }
    var fields: [String: Int] = [:]
    var position = start + 1
    while case .key(let name) = json.tokens[position] {
      fields[name] = position + 1
      position = json.ends[position + 1]
    }
    guard let type = fields["t"], case .string(let name) = json.tokens[type], let place = fields["v"] else {
      throw UnreadableMixed("a value is no object with \"t\" and \"v\"")
    }
    guard let type = MixedType(rawValue: name) else {
      throw UnreadableMixed("there is no type \"\(name)\"")
    }
    let token = json.tokens[place]
    switch (type, token) {
    case (.list, .beginList):
      return .container(Container(isDictionary: false, next: place + 1, end: json.ends[place] - 1))
    case (.dictionary, .beginObject):
      return .container(Container(isDictionary: true, next: place + 1, end: json.ends[place] - 1))
    case (.link, _):
      guard let classPlace = fields["class"], case .string(let className) = json.tokens[classPlace],
        let key = scalar(.int, token) ?? scalar(.string, token)
      else { throw UnreadableMixed("a link has no \"class\", or no key as its \"v\"") }
      return .scalar(.link(toClass: className, key: key))
    default:
      guard let value = scalar(type, token) else {
        throw UnreadableMixed("a \"v\" is no \(name)")
      }
      return .scalar(value)
    }
  }

  private static func scalar(_ type: MixedType, _ token: JSONTokens.Token) -> Value? {
    switch (type, token) {
    case (.int, .number(let text)): return Int64(text).map { .int($0) }
    case (.bool, .bool(let flag)): return .bool(flag)
    case (.float, .number(let text)), (.float, .string(let text)):
      return number(Float.self, text, token).map { .float($0) }
    case (.double, .number(let text)), (.double, .string(let text)):
      return number(Double.self, text, token).map { .double($0) }
    case (.decimal128, .number(let text)), (.decimal128, .string(let text)):
      return Fixed16(decimalText: text).map { .decimal128($0) }
    case (.string, .string(let text)): return .string(text)
    case (.data, .string(let text)):
      return text.hasPrefix("\\x") ? KeyText.bytes(text.utf8.dropFirst(2)).map { .data($0) } : nil
    case (.date, .string(let text)):
      return ServerDate.microseconds(text: text).map { .date(ServerDate.seconds($0)) }
    case (.objectId, .string(let text)): return KeyText.key(text, .objectId)
    case (.uuid, .string(let text)): return KeyText.key(text, .uuid)
    default: return nil
    }
  }

  private static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Number.Type, _ text: String, _ token: JSONTokens.Token
  ) -> Number? {
    switch token {
    case .number:
      // What is no number, or too large for one.
      return Number(text).flatMap { $0.isFinite ? $0 : nil }
    default:
      switch text {
      case "NaN": return .nan
      case "Infinity": return .infinity
      case "-Infinity": return -.infinity
      case "-0.0": return -0.0
      default: return nil
      }
    }
  }
}
