import Storage

extension List where Element == AnyRealmValue {
  /// The list as part of a mixed value that is about to be stored, with as many collections around it.
  func _rlmNestedValue(_ realm: RealmCore, level: Int) -> StoredValue {
    if let backing { backing.checkAccess() }
    if let backing, backing.realm === realm { return .list(backing.values) }
    StoredValue.checkNesting(level: level + 1)
    return .list(map { $0._rlmStore(realm, level: level + 1) })
  }
}

extension Map where Key == String, Value == AnyRealmValue {
  /// The map as part of a mixed value that is about to be stored, with as many collections around it.
  func _rlmNestedValue(_ realm: RealmCore, level: Int) -> StoredValue {
    StoredValue.checkNesting(level: level + 1)
    return .dictionary(
      entries.map {
        StoredValue.DictionaryEntry(key: $0.0, value: $0.1._rlmStore(realm, level: level + 1))
      })
  }
}
