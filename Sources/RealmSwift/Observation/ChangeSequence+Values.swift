// Feeds of the program's own values: an actor can hand them out, since nothing of the realm is in them.

extension RealmCollection {
  /// Returns a Sendable sequence of the program's own values, which a closure makes from the collection: first from the
  /// collection as it is, then after each change.
  ///
  /// An actor hands out a feed of values like this:
  ///
  /// ```swift
  /// struct DogRow: Sendable {
  ///   let name: String
  ///   let age: Int
  /// }
  ///
  /// actor DogStore {
  ///   private var realm: Realm!
  ///
  ///   init(_ configuration: Realm.Configuration) async throws {
  ///     realm = try await Realm(configuration: configuration, actor: self)
  ///   }
  ///
  ///   func puppies() -> ChangeSequence<[DogRow]> {
  ///     let puppies = realm.objects(Dog.self).where { $0.age < 2 }
  ///     return puppies.changes(map: { dogs in
  ///       dogs.map { DogRow(name: $0.name, age: $0.age) }
  ///     })
  ///   }
  /// }
  /// ```
  ///
  /// Any task follows it:
  ///
  /// ```swift
  /// for await puppies in await store.puppies() {
  ///   print(puppies.map(\.name))
  /// }
  /// ```
  ///
  /// Each iteration opens a realm of its own in the background and runs the closure there: the thread, queue or actor
  /// of the collection is not used and not kept. The closure gets the live collection of that realm, and runs only
  /// when a task waits for the next value. Changes that occur while the task is busy give one value, made from the
  /// newest version; no value and no version is queued. A value equal to the one before is delivered, too.
  ///
  /// The sequence ends when the task is cancelled, and when the object that a list, set or linking objects belong to is
  /// deleted.
  ///
  /// Stops the program for collections in memory or of a frozen or read-only realm, and when a property does not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the elements, over links, whose changes count; nil or none for all. Insertions and
  ///     deletions always count.
  ///   - transform: Makes a value from the collection. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    keyPaths: [String]? = nil, map transform: @escaping @Sendable (Self) -> Value
  ) -> ChangeSequence<Value> {
    _changes(_checkFollowable(keyPaths)) { found, _, give in
      CollectionObserver(found._rlmOrigin.tracker(keyPaths: keyPaths)) { _ in
        if !found.isGone { give(transform(found)) }
      }
    }
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the collection: first from the
  /// collection as it is, then after each change of some properties, each insertion and each deletion.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the elements, over links, whose changes count; none for all.
  ///   - transform: Makes a value from the collection. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    keyPaths: [PartialKeyPath<Element>], map transform: @escaping @Sendable (Self) -> Value
  ) -> ChangeSequence<Value> where Element: ObjectBase {
    changes(keyPaths: keyPaths.map { _name(for: $0) }, map: transform)
  }
}

extension Map {
  /// Returns a Sendable sequence of the program's own values, which a closure makes from the map: first from the map as
  /// it is, then after each change, until the object that the map belongs to is deleted.
  ///
  /// The closure runs as that of collections does.
  ///
  /// Stops the program for maps in memory or of a frozen or read-only realm, and when a property does not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the values, over links, whose changes count; nil or none for all.
  ///   - transform: Makes a value from the map. It reads what the feed needs and writes nothing.
  public func changes<Result: Sendable>(
    keyPaths: [String]? = nil, map transform: @escaping @Sendable (Map) -> Result
  ) -> ChangeSequence<Result> {
    _changes(_checkFollowable(keyPaths)) { found, _, give in
      MapObserver(found.makeTracker(keyPaths)) { _ in
        if !found.isGone { give(transform(found)) }
      }
    }
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the map: first from the map as
  /// it is, then after each change of the map or of some properties of its objects.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the objects, over links, whose changes count; none for all.
  ///   - transform: Makes a value from the map. It reads what the feed needs and writes nothing.
  public func changes<Wrapped: ObjectBase, Result: Sendable>(
    keyPaths: [PartialKeyPath<Wrapped>], map transform: @escaping @Sendable (Map) -> Result
  ) -> ChangeSequence<Result> where Value == Wrapped? {
    changes(keyPaths: keyPaths.map { _name(for: $0) }, map: transform)
  }
}

extension ThreadConfined where Self: ObjectBase {
  /// Returns a Sendable sequence of the program's own values, which a closure makes from the object: first from the
  /// object as it is, then after each change, until the object is deleted.
  ///
  /// ```swift
  /// for await age in dog.changes(keyPaths: [\.age], map: { $0.age }) {
  ///   print(age)
  /// }
  /// ```
  ///
  /// The closure runs as that of collections does. Without key paths the object's own properties count, those of objects
  /// that it links to do not.
  ///
  /// Stops the program for objects in memory or of a frozen or read-only realm, and when a property does not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties, over links, whose changes count; nil or none for all of the object's own.
  ///   - transform: Makes a value from the object. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    keyPaths: [String]? = nil, map transform: @escaping @Sendable (Self) -> Value
  ) -> ChangeSequence<Value> {
    _changes(_checkFollowable(keyPaths)) { found, core, give in
      give(transform(found))
      let observed = core.observedKeyPaths(keyPaths, table: found._table.number)
      return ObjectObserver(found, core, observed) { changes in
        if changes != nil { give(transform(found)) }
      }
    }
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the object: first from the
  /// object as it is, then after each change of some properties, until the object is deleted.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties, over links, whose changes count; none for all of the object's own.
  ///   - transform: Makes a value from the object. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    keyPaths: [PartialKeyPath<Self>], map transform: @escaping @Sendable (Self) -> Value
  ) -> ChangeSequence<Value> {
    changes(keyPaths: keyPaths.map { _name(for: $0) }, map: transform)
  }
}

extension Realm {
  /// Returns a Sendable sequence of the program's own values, which a closure makes from the realm: first from the
  /// newest version, then after each commit of any thread or process.
  ///
  /// Use it for values that depend on several classes. The closure runs as that of collections does.
  ///
  /// Stops the program for frozen and read-only realms.
  ///
  /// - Parameter transform: Makes a value from the realm. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    map transform: @escaping @Sendable (Realm) -> Value
  ) -> ChangeSequence<Value> {
    core.checkFollowable()
    return ChangeSequence(configuration: core.configuration, openedAt: core.openedAt) { core, give in
      give(transform(Realm(core)))
      let observer = VersionObserver { [unowned core] in give(transform(Realm(core))) }
      return .init(token: core.begin(observer)) { false }
    }
  }
}
