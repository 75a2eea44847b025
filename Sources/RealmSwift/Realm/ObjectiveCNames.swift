/// The names that the official SDK's messages have from Objective-C. They stay as they are, since programs and their tests
/// look for them; what they are called in Swift is said after them.
enum ObjectiveCNames {
  private static let swiftNames = [
    "beginWriteTransaction": "realm.write { … } or realm.beginWrite()",
    "RLMRealm": "Realm",
    "RLMObject": "Object",
    "RLMArray": "List",
    "RLMSet": "MutableSet",
    "RLMDictionary": "Map",
    "RLMLinkingObjects": "LinkingObjects",
    "RLMThreadConfined": "ThreadConfined",
  ]

  /// A message with the Swift names after it, when it has any of the others.
  static func explained(_ message: String) -> String {
    var explanations: [String] = []
    for word in message.split(whereSeparator: { !$0.isLetter }) {
      guard let name = swiftNames[String(word)] else { continue }
      let explanation = "\(word) is \(name)"
      if !explanations.contains(explanation) { explanations.append(explanation) }
    }
    if explanations.isEmpty { return message }
    return message + " (In Swift, " + explanations.joined(separator: ", ") + ".)"
  }
}
