import RealmSwift
import Storage

/// The names in the first line of a CSV file.
struct CSVHeader {
  let names: [String]
  /// Notes about fields whose names differ from the line.
  private(set) var notes: [String] = []

  /// Names nameless fields, and numbers repeated names.
  init(_ given: [String]) {
    var taken = Set(given.map { ExactText($0) })
    var seen: Set<ExactText> = []
    var names: [String] = []
    for (place, name) in given.enumerated() {
      if !name.isEmpty && seen.insert(ExactText(name)).inserted {
        names.append(name)
        continue
      }
      // Programs that write numbered rows leave out the name of the first field.
      let wanted = !name.isEmpty ? name : place == 0 ? "index" : "column_\(place + 1)"
      let free = Self.free(wanted, taken)
      taken.insert(ExactText(free))
      names.append(free)
      notes.append(
        name.isEmpty
          ? "Field \(place + 1) has no name in line 1: its property is called '\(free)'."
          : "Field \(place + 1) is the second one called '\(name)' in line 1: its property is called '\(free)'."
      )
    }
    self.names = names
  }

  private static func free(_ name: String, _ taken: Set<ExactText>) -> String {
    if !taken.contains(ExactText(name)) { return name }
    var number = 2
    while taken.contains(ExactText("\(name)_\(number)")) { number += 1 }
    return "\(name)_\(number)"
  }

  /// Returns the first field that is a value rather than a name; nil when all could be names.
  static func data(in fields: [String]) -> String? {
    fields.first { text in
      let type = InferredValues()
      type.noteField(text)
      return text.count > 0 && type.isRecognised
    }
  }
}
