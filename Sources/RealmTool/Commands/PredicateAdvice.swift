import QueryEngine
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
  ///
  /// - Parameter missing: The property that its class does not have, if that is what is wrong.
  func explaining(_ message: String, _ missing: MissingProperty?) -> String {
    message + onMissing(missing, isSentence: message.hasSuffix(".")) + onBackticks
  }

  private func onMissing(_ missing: MissingProperty?, isSentence: Bool) -> String {
    guard let missing,
      let owner = ClassReader.all(in: reader.snapshot).first(where: { $0.name == missing.className })
    else { return "" }
    let (className, name) = (missing.className, missing.name)
    let end = isSentence ? "" : "."
    let names = owner.columns.map { owner.column($0).name }
    let suggestion = Spelling.suggestion(for: name, among: names)
    if suggestion.isEmpty && isOperand(name) {
      return "\(end) If '\(name)' is meant as text, put it in quotes within the predicate: '\(name)'."
    }
    return "\(end)\(suggestion) Class '\(className)' has \(RealmFile.listed(names))."
  }

  /// Whether a name follows an operator of the predicate, where a value is expected.
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
