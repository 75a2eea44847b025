/// A type that the keys of a `Map` can have: strings, and enumerations over strings that are declared to conform.
public protocol _MapKey: Hashable {
  /// The key for a stored text.
  static func _rlmKey(_ text: String) -> Self
  /// The text to store.
  var _rlmKeyText: String { get }
  /// Whether there is a key for a text.
  static func _rlmIsKey(_ text: String) -> Bool
}

extension _MapKey {
  /// For `_MapKey`: any text is one.
  public static func _rlmIsKey(_ text: String) -> Bool { true }
}

extension String: _MapKey {
  /// For `_MapKey`: the key of a stored text.
  public static func _rlmKey(_ text: String) -> String { text }
  /// For `_MapKey`: the text that is stored for the key.
  public var _rlmKeyText: String { self }
}

/// Not available: the keys of a map are strings.
@available(
  *, unavailable,
  message: "The keys of a map are strings. Use String, or an enumeration of strings that conforms to _MapKey."
)
extension Int: _MapKey {
  /// Not available.
  public static func _rlmKey(_ text: String) -> Int { fatalError() }
  /// Not available.
  public var _rlmKeyText: String { fatalError() }
}

extension _MapKey where Self: RawRepresentable, RawValue == String {
  /// For `_MapKey`: the key of a stored text.
  public static func _rlmKey(_ text: String) -> Self {
    guard let key = Self(rawValue: text) else {
      trap("Could not convert value '\(text)' to type '\(Self.self)'.")
    }
    return key
  }
  /// For `_MapKey`: the text that is stored for the key.
  public var _rlmKeyText: String { rawValue }
  /// For `_MapKey`: the raw values are the keys.
  public static func _rlmIsKey(_ text: String) -> Bool { Self(rawValue: text) != nil }
}

extension String {
  /// Why the text cannot be a key of a managed map; nil when it can.
  var keyFault: String? {
    if utf8.contains(UInt8(ascii: ".")) { return "Dictionary::insert: key must not contain '.'" }
    if utf8.first == UInt8(ascii: "$") { return "Dictionary::insert: key must not start with '$'" }
    return nil
  }

  /// Stops the program unless the text may be a key of a managed map.
  func checkKey() {
    if let keyFault { trap(keyFault) }
  }
}
