/// A step from a list, map or mixed value to one of its elements.
enum NestedStep: Sendable {
  case position(Int)
  case key(String)

  /// The steps that an array of positions and keys stands for; nil when it is anything else.
  static func steps(_ path: JSONValue) -> [NestedStep]? {
    guard case .array(let parts) = path else { return nil }
    var steps: [NestedStep] = []
    for part in parts {
      switch part {
      case .int(let position): steps.append(.position(Int(position)))
      case .string(let key): steps.append(.key(key))
      default: return nil
      }
    }
    return steps
  }
}
