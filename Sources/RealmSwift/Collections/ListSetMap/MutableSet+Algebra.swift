import Storage

extension MutableSet {
  /// Returns whether every element is also in the other set.
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    guard let backing else { return unmanaged.elements.allSatisfy(possibleSuperset.contains) }
    let other = checkOther(possibleSuperset, backing)
    return backing.values.allSatisfy { other.position(ofElement: $0).isFound }
  }

  /// Returns whether any element is in both sets.
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    guard let backing else { return unmanaged.elements.contains(where: otherSet.contains) }
    let other = checkOther(otherSet, backing)
    return backing.values.contains { other.position(ofElement: $0).isFound }
  }

  /// Removes the elements that are not in the other set.
  public func formIntersection(_ other: MutableSet<Element>) {
    guard let backing else { return filterUnmanaged(other.contains) }
    let right = checkOther(other, backing, writing: "intersectSet:")
    removeValues(from: backing) { !right.position(ofElement: $0).isFound }
  }

  /// Removes the elements that are in the other set.
  public func subtract(_ other: MutableSet<Element>) {
    guard let backing else { return filterUnmanaged { !other.contains($0) } }
    let right = checkOther(other, backing, writing: "minusSet:")
    removeValues(from: backing) { right.position(ofElement: $0).isFound }
  }

  /// Inserts the elements of the other set.
  public func formUnion(_ other: MutableSet<Element>) {
    guard let backing else { return insert(objectsIn: Array(other)) }
    let right = checkOther(other, backing, writing: "unionSet:")
    backing.insertIntoSet(right.values)
  }

  private func filterUnmanaged(_ isKept: (Element) -> Bool) {
    var kept = DistinctElements<Element>()
    for element in unmanaged.elements where isKept(element) { kept.insert(element) }
    replaceUnmanaged(kept)
  }

  private func removeValues(from backing: StoredCollection, where isRemoved: (StoredValue) -> Bool) {
    let positions = backing.values.indices.filter { isRemoved(backing.value(at: $0)) }
    for position in positions.reversed() { backing.remove(position..<position + 1) }
  }

  /// The other set of an operation with a managed one, which must be managed by the same realm.
  private func checkOther(
    _ other: MutableSet<Element>, _ backing: StoredCollection, writing operation: String? = nil
  ) -> StoredCollection {
    backing.checkAccess()
    if let operation, !backing.realm.isInWrite {
      trap(
        "Can only perform [RLMSet \(operation)] in a Realm in a write transaction - call beginWriteTransaction on an RLMRealm instance first."
      )
    }
    guard let right = other.backing else { trap("Right hand side value must be a managed Set.") }
    right.checkAccess()
    if right.realm !== backing.realm { trap("Cannot insersect sets managed by different Realms.") }
    if right.source.type != backing.source.type || right.source.target != backing.source.target {
      trap(
        "Cannot intersect sets of type '\(backing.elementName)' and '\(right.elementName)'.")
    }
    return right
  }
}

extension StoredCollection {
  /// The type of the elements in messages.
  var elementName: String { source.classTable?.className ?? PropertyType(source.type).name }
}
