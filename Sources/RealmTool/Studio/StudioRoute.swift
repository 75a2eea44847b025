/// A method and a path of the server, and what answers it.
struct StudioRoute: Sendable {
  let method: StudioRequest.Method
  /// The parts of the path after `/api`; nil for a variable one.
  let pattern: [String?]
  /// Maximum size of the request's body, in bytes.
  let bodyLimit: Int
  let answer: @Sendable (StudioRequest, StudioSession) async throws -> StudioReply

  static let usualBodyLimit = 2 << 20
  static let pasteBodyLimit = 16 << 20

  /// - Parameter path: The path after `/api/`; `*` stands for a variable part.
  init(
    _ method: StudioRequest.Method, _ path: String, bodyLimit: Int = usualBodyLimit,
    _ answer: @escaping @Sendable (StudioRequest, StudioSession) async throws -> StudioReply
  ) {
    self.method = method
    self.bodyLimit = bodyLimit
    self.answer = answer
    pattern = path.split(separator: "/").map { $0 == "*" ? nil : String($0) }
  }

  /// Returns the variable parts of a path when the route answers it.
  func arguments(_ parts: [String]) -> [String]? {
    guard parts.count == pattern.count else { return nil }
    var arguments: [String] = []
    for (part, expected) in zip(parts, pattern) {
      if let expected {
        if part != expected { return nil }
      } else {
        arguments.append(part)
      }
    }
    return arguments
  }
}
