/// A line that was typed.
enum Command: Equatable {
  case add(String)
  case remove(String)
  case age(String, Int)
  case list
  case offline
  case online
  case quit

  static let help = "type: + name | - name | age name years | list | offline | online | quit"

  /// Nil for a line that is no command.
  init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("+", 2): self = .add(words[1])
    case ("-", 2): self = .remove(words[1])
    case ("age", 3):
      guard let years = Int(words[2]) else { return nil }
      self = .age(words[1], years)
    case ("list", 1): self = .list
    case ("offline", 1): self = .offline
    case ("online", 1): self = .online
    case ("quit", 1): self = .quit
    default: return nil
    }
  }
}
