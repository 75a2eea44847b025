/// What a command is given by its place.
struct Operand: Hashable, Sendable {
  enum Number: Sendable {
    case one, optional, atLeastOne
  }

  let kind: ValueKind
  let number: Number
  let help: String

  init(_ kind: ValueKind, _ help: String) { self.init(kind, .one, help) }

  init(_ kind: ValueKind, _ number: Number, _ help: String) {
    self.kind = kind
    self.number = number
    self.help = help
  }

  var name: String { kind.placeholder }

  /// As it stands in a synopsis.
  var synopsis: String {
    switch number {
    case .one: name
    case .optional: "[\(name)]"
    case .atLeastOne: "\(name)…"
    }
  }
}
