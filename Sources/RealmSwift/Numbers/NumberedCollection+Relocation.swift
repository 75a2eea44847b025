import Storage

// The same collection in another realm of the file.
extension NumberedCollection {
  /// The same collection as a live or frozen realm of the same file shows it.
  ///
  /// Throws `invalidated` when the collection does not exist there.
  package func relocated(to other: NumberedRealm) throws(Refusal) -> NumberedCollection {
    try check()
    try other.check()
    guard other.core.file === realm.core.file else {
      throw Refusal(
        .otherRealm,
        "The collection is of the Realm at path '\(realm.core.configuration.path)', and not of that at '\(other.core.configuration.path)'."
      )
    }
    guard other.hasAllColumns(of: realm), let found = find(in: other) else {
      throw Refusal(.invalidated, "The collection does not exist in the version that the other Realm shows.")
    }
    try other.checkDamage()
    return found
  }

  private func find(in other: NumberedRealm) -> NumberedCollection? {
    switch content {
    case .backing(let backing):
      return other.core.collection(at: backing.location).map { NumberedCollection(other, $0) }
    case .snapshot(let rows): return NumberedCollection(other, rows)
    case .results(let query):
      let location = query.location
      if let origin {
        let query = origin.query(in: other.core).adding(location.steps)
        return NumberedCollection(other, query, like: self, origin: origin)
      }
      if case .links(let links) = location.origin, location.steps.isEmpty {
        return other.core.links(at: links).map { NumberedCollection(other, links: $0) }
      }
      return other.core.results(at: location).map { NumberedCollection(other, $0, like: self) }
    }
  }

  /// Results with the present objects, which later changes leave as they are.
  package func snapshot() throws(Refusal) -> NumberedCollection {
    try check()
    if !isOfObjects { throw needsObjects }
    if case .snapshot(let rows) = content { return NumberedCollection(realm, rows) }
    let rows = query.allRows
    try realm.checkDamage()
    return NumberedCollection(realm, FixedRows(classNumber: classNumber, rows: rows))
  }
}

extension NumberedRealm {
  /// Whether this version of the file has all classes and properties of another one: what is found in that may name them.
  fileprivate func hasAllColumns(of other: NumberedRealm) -> Bool {
    let (own, others) = (tables.pointee, other.tables.pointee)
    return own.count >= others.count
      && (0..<others.count).allSatisfy {
        others.classes[$0].isRemoved
          || own.classes[$0].columnCount >= others.classes[$0].columnCount && !own.classes[$0].isRemoved
      }
  }
}
