import Storage

/// What a managed collection is for the program.
enum CollectionKind: Sendable {
  case list
  case set
  case map

  /// Its name in messages.
  var noun: String {
    switch self {
    case .list: "List"
    case .set: "Set"
    case .map: "Dictionary"
    }
  }

  /// What the official SDK calls its class in messages.
  var objectiveCName: String {
    switch self {
    case .list: "RLMArray"
    case .set: "RLMSet"
    case .map: "RLMDictionary"
    }
  }
}
