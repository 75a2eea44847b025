import Storage

extension List where Element == AnyRealmValue {
  /// The list as part of a mixed value, with as many collections around it; nil when it is nested too deep.
  func _rlmNestedContent(
    _ realm: RealmCore, level: Int
  ) -> NestedConversion<AnyRealmValue, StoredValue>.Content? {
    if let backing {
      backing.checkAccess()
      if backing.realm === realm { return .single(.list(backing.values)) }
    }
    if !StoredValue.allowsNesting(level: level + 1) { return nil }
    return .list(Array(self))
  }
}

extension Map where Key == String, Value == AnyRealmValue {
  /// The map as part of a mixed value, with as many collections around it; nil when it is nested too deep.
  func _rlmNestedContent(level: Int) -> NestedConversion<AnyRealmValue, StoredValue>.Content? {
    if !StoredValue.allowsNesting(level: level + 1) { return nil }
    return .dictionary(entries.map { ($0.0, $0.1) })
  }
}
