extension FormatParser {
  mutating func keyPath() throws -> PropertyPath {
    var components: [PropertyPath.Component] = []
    var unknownOperation: String?
    var isFirst = true
    repeat {
      switch next.kind {
      case .name(let name, let isEscaped):
        let isSelf = isFirst && !isEscaped && name.uppercased() == "SELF"
        if !isSelf { components.append(.property(name)) }
      case .operation(let name):
        if let operation = CollectionOperation(rawValue: "@" + name) {
          components.append(.operation(operation))
        } else {
          unknownOperation = "@" + name
          components.append(.property("@" + name))
        }
      case .placeholder("K"):
        guard let path = Self.pathText(try takeArgument()) else {
          throw error("the argument for '%K' is not a key path")
        }
        components += try PropertyPath(parsing: path).components
      case .variable(let name) where isFirst:
        guard name == variables.last else {
          throw error(
            variables.contains(name)
              ? "the variable of an outer SUBQUERY cannot be used here" : "unknown variable '$\(name)'")
        }
      case .end where !isFirst, .symbol where !isFirst: throw error("no key name after last '.'")
      default: throw error("expected a key path instead of \(describe(next))")
      }
      advance()
      isFirst = false
      while take(symbol: "[") {
        components.append(try subscriptComponent())
        try expect("]")
      }
    } while take(symbol: ".")
    let path = PropertyPath(components)
    if let unknownOperation {
      throw PredicateError.invalidPredicate(
        "Invalid keypath '\(path)': Unsupported collection operation '\(unknownOperation)'")
    }
    return path
  }

  private static func pathText(_ argument: Argument) -> String? {
    switch argument {
    case .keyPath(let path), .value(.string(let path)): path
    default: nil
    }
  }

  private mutating func subscriptComponent() throws -> PropertyPath.Component {
    switch next.kind {
    case .string(let key):
      advance()
      return .key(key)
    case .integer(let index):
      advance()
      return .index(Int(index))
    case .name("any", true):
      advance()
      return .anyElement
    case .placeholder("K"):
      guard Self.pathText(try takeArgument()) == "#any" else {
        throw error("only '#any' can be a subscript's key path")
      }
      advance()
      return .anyElement
    case .placeholder("@"):
      let argument = try takeArgument()
      switch argument {
      case .value(.string(let key)):
        advance()
        return .key(key)
      case .value(.int(let index)):
        advance()
        return .index(Int(index))
      default: throw error("a subscript must be a string or a number")
      }
    default:
      if let keyword = next.keyword, ["FIRST", "LAST", "SIZE"].contains(keyword) {
        throw error("the subscript [\(keyword)] is not supported")
      }
      throw error("a subscript must be a string or a number")
    }
  }
}
