import QueryEngine

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects grouped by the value of a property, for counting and aggregation.
  ///
  /// ```swift
  /// let counts = huts.grouped(by: \.warden?.name).counts
  /// ```
  ///
  /// The property can belong to a linked object, as here. An object that a list contains twice counts twice.
  /// Stops the program if the collection is unmanaged, and if the property is a link or a collection.
  public func grouped<Key: _Persistable>(by keyPath: KeyPath<Element, Key>) -> GroupedObjects<Element, Key> {
    grouped(by: .value(keyPath))
  }

  /// Returns the objects grouped by the values of several properties; the keys are tuples.
  ///
  /// ```swift
  /// let beds = huts.grouped(by: \.kind, \.warden?.name).aggregated(.sum(\.beds))
  /// ```
  public func grouped<First: _Persistable, Second: _Persistable, each Other: _Persistable>(
    by first: KeyPath<Element, First>, _ second: KeyPath<Element, Second>,
    _ other: repeat KeyPath<Element, each Other>
  ) -> GroupedObjects<Element, (First, Second, repeat each Other)> {
    grouped(by: .value(first), .value(second), repeat ObjectGroupKey.value(each other))
  }

  /// Returns the objects grouped by the value of a property, or by the day, month or year of a date.
  ///
  /// ```swift
  /// let beds = huts.grouped(by: .year(of: \.opened)).aggregated(.sum(\.beds))
  /// ```
  public func grouped<Key>(by key: ObjectGroupKey<Element, Key>) -> GroupedObjects<Element, Key> {
    let query = _query
    return GroupedObjects(query: query, keys: [key.resolve(query)]) { key.makeKey($0[0], query.realm) }
  }

  /// Returns the objects grouped by values of properties, and by days, months or years of dates; the keys are
  /// tuples.
  ///
  /// ```swift
  /// let years = huts.grouped(by: .value(\.kind), .year(of: \.opened)).aggregated()
  /// ```
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
