package import Storage

/// How strings are read that are compared with values which have no literal of their own: dates, object ids and UUIDs.
package struct TextConstants: Sendable {
  private let read: @Sendable (String, ValueType) -> Value?
  private let advise: @Sendable (ValueType) -> String?

  /// - Parameters:
  ///   - read: Returns the value of a type that a text denotes, or nil.
  ///   - advise: Returns what to write for a value of a type instead of a text that denotes none.
  package init(
    read: @escaping @Sendable (String, ValueType) -> Value?,
    advise: @escaping @Sendable (ValueType) -> String?
  ) {
    self.read = read
    self.advise = advise
  }

  /// No strings are read: a program has values of these types, and passes them as arguments.
  package static let refused = TextConstants { _, _ in
    nil
  } advise: { type in
    switch type {
    case .date: "Pass a Date as the argument of %@ instead of a string."
    case .objectId: "Pass an ObjectId as the argument of %@ instead of a string."
    case .uuid: "Pass a UUID as the argument of %@ instead of a string."
    default: nil
    }
  }

  /// A string as a value of a type that has no literal; nil for all others.
  func value(_ value: Value, comparedWith type: ValueType) -> Value? {
    guard case .string(let text) = value else { return nil }
    switch type {
    case .date, .objectId, .uuid: return read(text, type)
    default: return nil
    }
  }

  func advice(_ type: ValueType) -> String? { advise(type) }
}
