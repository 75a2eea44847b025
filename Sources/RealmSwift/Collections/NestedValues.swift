import Storage

extension List where Element == AnyRealmValue {
  /// The list as part of a mixed value that is about to be stored.
  func _rlmNestedValue(_ realm: RealmCore) -> StoredValue {
    if let backing { backing.checkAccess() }
    if let backing, backing.realm === realm { return .list(backing.values) }
    return .list(map { $0._rlmStore(realm) })
  }
}

extension Map where Key == String, Value == AnyRealmValue {
  /// The map as part of a mixed value that is about to be stored.
  func _rlmNestedValue(_ realm: RealmCore) -> StoredValue {
    .dictionary(entries.map { StoredValue.DictionaryEntry(key: $0.0, value: $0.1._rlmStore(realm)) })
  }
}
