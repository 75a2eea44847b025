/// How null is said in leaves of strings.
enum StringForm {
  /// Since format 10.
  case current
  /// Before, in a column that can be null: flags are 0 for null.
  case oldNullable
  /// Before, in one that cannot: flags mean nothing.
  case oldRequired

  var isOld: Bool { self != .current }
}
