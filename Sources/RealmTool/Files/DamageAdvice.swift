/// Advice on files that turn out to be damaged.
enum DamageAdvice {
  /// Returns what to do about a damaged file; an empty text when a message is not about damage, or says it already.
  ///
  /// - Parameter path: The file; nil when the error does not name it.
  static func text(_ path: String?, _ message: String) -> String {
    let isDamage = message.contains(" is damaged: ") || message.contains(": file is truncated (")
    if !isDamage || message.contains("realm salvage") { return "" }
    let file = path.map { "'\($0)'" } ?? "FILE"
    return
      "\nrealm verify \(file) lists what is damaged, and realm salvage \(file) NEW copies what is sound to a new file."
  }
}
