import Storage

// An object in memory that is added may hold parts of what the object that it updates holds, such as a list inside one of its mixed
// properties. These are live: they would be gone, or changed, as soon as the first property is overwritten. So all of them are read before
// that. What `create` is given is read by `GivenContent`.
extension RealmCore {
  /// Puts copies in place of the lists and dictionaries inside mixed values of a realm that an object in memory holds, and all that
  /// it leads to.
  func copyLiveCollections(in object: ObjectBase) {
    if !hasMixedCollections { return }
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
    var rest = [object]
    while let object = rest.popLast() {
      for property in object.classSchema.properties {
        let value = property.typedValue(object)
        switch property.kind.type {
        case .any: copyLiveCollections(in: value, of: object, property)
        case .object: break
        default: continue
        }
        for linked in Self.objects(in: value) where !linked._isManaged && linked._row >= 0 {
          if seen.insert(ObjectIdentifier(linked)).inserted { rest.append(linked) }
        }
      }
    }
  }

  private func copyLiveCollections(in value: Any, of object: ObjectBase, _ property: ClassProperty) {
    switch value {
    case let mixed as AnyRealmValue where mixed.holdsLiveCollections:
      object.setValue(mixed.copyingLiveCollections, forKey: property.name)
    case let list as List<AnyRealmValue> where list.backing == nil:
      for position in list.indices where list[position].holdsLiveCollections {
        list[position] = list[position].copyingLiveCollections
      }
    case let map as Map<String, AnyRealmValue> where map.backing == nil:
      for entry in map where entry.value.holdsLiveCollections {
        map[entry.key] = entry.value.copyingLiveCollections
      }
    default: break
    }
  }

  /// The objects that a value of a property is or holds.
  private static func objects(in value: Any) -> [ObjectBase] {
    var objects: [ObjectBase] = []
    var rest = [value]
    while let value = rest.popLast().flatMap(Coercion.unwrap) {
      if let object = Coercion.object(value) {
        objects.append(object)
      } else if let mixed = value as? AnyRealmValue {
        if let reference = mixed._rlmReference { rest.append(reference) }
      } else if let entries = value is any DictionaryValue ? Enumeration.entries(value) : nil {
        rest += entries.map(\.value)
      } else if let elements = Enumeration.elements(value) {
        rest += elements
      }
    }
    return objects
  }
}

extension AnyRealmValue {
  /// Whether the value is, or has in it, a list or map of a realm.
  fileprivate var holdsLiveCollections: Bool {
    var rest = [self]
    while let value = rest.popLast() {
      switch value {
      case .list(let list):
        if list.backing != nil { return true }
        rest += list
      case .dictionary(let map):
        if map.backing != nil { return true }
        rest += map.values
      default: break
      }
    }
    return false
  }

  /// The value with copies in memory in place of lists and maps of a realm.
  fileprivate var copyingLiveCollections: AnyRealmValue {
    if !holdsLiveCollections { return self }
    let copy = NestedConversion<AnyRealmValue, AnyRealmValue>.unmanaged(self) { value, _ in
      switch value {
      case .list(let list): .list(Array(list))
      case .dictionary(let map): .dictionary(map.map { ($0.key, $0.value) })
      default: .single(value)
      }
    }
    return copy.unsafelyUnwrapped
  }
}
