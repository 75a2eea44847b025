/// What a value on the command line is, for its name in help and for completion.
enum ValueKind: Hashable, Sendable {
  case file(String)
  case folder(String)
  case text(String)
  case number(String)
  case choice([String])

  var placeholder: String {
    switch self {
    case .file(let name), .folder(let name), .text(let name), .number(let name): name
    case .choice(let choices): choices.joined(separator: "|")
    }
  }

  /// What is wrong with a value; nil when nothing is.
  func fault(in value: String) -> String? {
    switch self {
    case .number:
      guard let number = Int(value), number >= 0 else { return "'\(value)' is not a number of 0 or more" }
      return nil
    case .choice(let choices):
      return choices.contains(value) ? nil : "'\(value)' is none of \(choices.joined(separator: ", "))"
    case .file, .folder, .text: return value.isEmpty ? "it is empty" : nil
    }
  }
}
