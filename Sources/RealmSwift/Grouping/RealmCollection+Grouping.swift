import QueryEngine

extension RealmCollection where Element: ObjectBase {
  /// The objects grouped by the value of a property, to count them and add them up.
  ///
  ///     let counts = dogs.grouped(by: \.breed).counts
  ///
  /// The property may also be one of an object that is linked to: `\.warden?.name`. In a list, what is there twice counts
  /// twice. Stops the program for a collection in memory, and when the property is a link or a collection.
  public func grouped<Key: _Persistable>(by keyPath: KeyPath<Element, Key>) -> GroupedObjects<Element, Key> {
    grouped(by: .value(keyPath))
  }

  /// The objects grouped by the values of several properties; the keys are tuples.
  ///
  ///     let ages = dogs.grouped(by: \.breed, \.chip).aggregated(.average(\.age))
  public func grouped<First: _Persistable, Second: _Persistable, each Other: _Persistable>(
    by first: KeyPath<Element, First>, _ second: KeyPath<Element, Second>,
    _ other: repeat KeyPath<Element, each Other>
  ) -> GroupedObjects<Element, (First, Second, repeat each Other)> {
    grouped(by: .value(first), .value(second), repeat ObjectGroupKey.value(each other))
  }

  /// The objects grouped by the value of a property, or by the day, month or year of a date.
  ///
  ///     let beds = huts.grouped(by: .year(of: \.opened)).aggregated(.sum(\.beds))
  public func grouped<Key>(by key: ObjectGroupKey<Element, Key>) -> GroupedObjects<Element, Key> {
    let query = _query
    return GroupedObjects(query: query, keys: [key.resolve(query)]) { key.makeKey($0[0], query.realm) }
  }

  /// The objects grouped by values of properties, and by days, months or years of dates; the keys are tuples.
  ///
  ///     let years = huts.grouped(by: .value(\.kind), .year(of: \.opened)).aggregated()
  public func grouped<First, Second, each Other>(
    by first: ObjectGroupKey<Element, First>, _ second: ObjectGroupKey<Element, Second>,
    _ other: repeat ObjectGroupKey<Element, each Other>
  ) -> GroupedObjects<Element, (First, Second, repeat each Other)> {
    let query = _query
    var keys = [first.resolve(query), second.resolve(query)]
    for key in repeat each other { keys.append(key.resolve(query)) }
    return GroupedObjects(query: query, keys: keys) { values in
      var number = 1
      func next<Value>(_ key: ObjectGroupKey<Element, Value>) -> Value {
        number += 1
        return key.makeKey(values[number], query.realm)
      }
      return (
        first.makeKey(values[0], query.realm), second.makeKey(values[1], query.realm), repeat next(each other)
      )
    }
  }
}
