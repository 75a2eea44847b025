import Storage

/// Advice on predicates and orders that do not fit a class.
struct PredicateAdvice {
  private let reader: ClassReader
  private let text: String

  /// - Parameter text: The predicate and the order as the user wrote them.
  init(_ reader: ClassReader, _ text: String) {
    self.reader = reader
    self.text = text
  }

  /// Returns the message of an error with advice.
  func explaining(_ message: String) -> String { message + onUnknownProperty(message) + onBackticks }

  /// The property that a message of the library says does not exist, with its class.
  private static func missing(_ message: String) -> (className: String, name: String)? {
    if let found = message.firstMatch(of: /roperty '([^']+)' not found in object of type '([^']+)'/) {
      return (String(found.2), String(found.1))
    }
    if let found = message.firstMatch(of: /property '([^'.]+)\.([^']+)' does not exist/) {
      return (String(found.1), String(found.2))
    }
    return nil
  }

  private func onUnknownProperty(_ message: String) -> String {
    guard let (className, name) = Self.missing(message),
      let owner = ClassReader.all(in: reader.snapshot).first(where: { $0.name == className })
    else { return "" }
    let end = message.hasSuffix(".") ? "" : "."
    let names = owner.columns.map { owner.column($0).name }
    let suggestion = Spelling.suggestion(for: name, among: names)
    if suggestion.isEmpty && isOperand(name) {
      return "\(end) If '\(name)' is meant as text, put it in quotes within the predicate: '\(name)'."
    }
    return "\(end)\(suggestion) Class '\(className)' has \(RealmFile.listed(names))."
  }

  /// Whether a name follows an operator of the predicate, where mostly a value is meant.
  private func isOperand(_ name: String) -> Bool {
    guard let place = text.firstRange(of: name)?.lowerBound else { return false }
    let before = text[..<place].trimmingSpaces()
    let word = before.split(separator: " ").last.map { $0.uppercased() } ?? ""
    return before.last.map { "=<>".contains($0) } ?? false
      || ["BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE"].contains { word.hasPrefix($0) }
  }

  /// Property names in the text that need backticks.
  private var onBackticks: String {
    let names = reader.columns.map { reader.column($0).name }.filter {
      !SwiftNames.isPlain($0) && text.contains($0)
    }
    guard let first = names.first else { return "" }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return
      "\nIn predicates, \(list) of class '\(reader.name)' \(names.count == 1 ? "needs" : "need") backticks, as in '`\(first)` != NULL' within single quotes of the shell. --sort cannot name properties with a dot in them."
  }
}
