/// Names of what the server has for a class. Each of them is quoted and, where it is not temporary, has its schema.
package struct ServerNames: Sendable {
  /// The name of the schema without quotes.
  package let schema: String
  /// The name of the class without quotes.
  package let name: String
  /// The name of the collection of which these are the names; nil for those of a class.
  var collection: String?

  package init(schema: String, className: String) {
    self.schema = schema
    name = className
  }

  /// What follows the name of a class in the names of its tables and functions.
  static let suffixes = [
    "", "$bury", "$cut", "$dead", "$died", "$fail", "$gone", "$in", "$merge", "$stage", "$stamp",
  ]

  /// The length of the longest suffix, in bytes.
  package static let longestSuffix = suffixes.map(\.utf8.count).max() ?? 0

  /// Returns the names that a class needs, without quotes.
  package static func all(of className: String) -> [String] { suffixes.map { className + $0 } }

  /// The table of the objects.
  package var table: String { qualified("") }
  /// The table of departures: what was deleted, or is no longer where its routing properties say.
  package var departures: String { qualified("$gone") }
  /// The temporary table that a push fills.
  package var input: String { "pg_temp." + SQLText.identifier(name + "$in") }
  /// The temporary table of what did not come out as it was pushed: class, key as text, reason, collection.
  package static let outcome = "pg_temp.\"$out\""

  /// The function without arguments that makes the input, and returns the number of properties that the class has.
  package var stage: String { qualified("$stage") }
  /// The function that merges the rows of the input between two numbers.
  package var merge: String { qualified("$merge") }

  /// Trigger function: stamps what other programs write.
  var stamp: String { qualified("$stamp") }
  /// Trigger function of a collection: limits the stamps of elements.
  var cut: String { qualified("$cut") }
  /// Trigger function: notes a departure. A function and a table may have one name.
  var depart: String { qualified("$gone") }
  /// Function: the greatest stamp of the deletions of a key, or 0.
  var died: String { qualified("$died") }
  /// Function: the stamps of the deletions of several keys.
  var dead: String { qualified("$dead") }
  /// Function: notes the deletion of keys that are not there.
  var bury: String { qualified("$bury") }
  /// Function: notes why a row of the input was rejected.
  var fail: String { qualified("$fail") }

  private func qualified(_ suffix: String) -> String {
    SQLText.identifier(schema) + "." + SQLText.identifier(name + suffix)
  }
}
