#if canImport(Combine)
  public import Combine
  import Dispatch

  // What publishes its changes.

  extension ThreadConfined where Self: ObjectBase {
    func _valuePublisher(_ keyPaths: [String]?) -> RealmPublishers.Value<Self> {
      .init { queue, tell in
        self._observe(keyPaths: keyPaths, on: queue) { (change: ObjectChange<Self>) in
          switch change {
          case .change(let object, _): tell(.value(object))
          case .deleted, .error: tell(.finished)
          }
        }
      }
    }

    func _changesetPublisher(_ keyPaths: [String]?) -> RealmPublishers.ObjectChangeset<Self> {
      .init { queue, tell in
        self._observe(keyPaths: keyPaths, on: queue) { (change: ObjectChange<Self>) in
          tell(.value(change))
          if case .deleted = change { tell(.finished) }
        }
      }
    }
  }

  extension Object: ObservableObject {
    /// A publisher of signals for changes of the object.
    public var objectWillChange: RealmPublishers.WillChange<Object> { _willChange() }
  }

  extension EmbeddedObject: ObservableObject {
    /// A publisher of signals for changes of the object.
    public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { _willChange() }
  }

  extension Projection: ObservableObject {
    /// A publisher of changes of the root object, without values.
    public var objectWillChange: RealmPublishers.WillChange<Projection> { _willChange() }
  }

  extension List: ObservableObject {
    /// A publisher of signals for changes of the list.
    public var objectWillChange: RealmPublishers.WillChange<List> { _willChange() }
  }

  extension MutableSet: ObservableObject {
    /// A publisher of signals for changes of the set.
    public var objectWillChange: RealmPublishers.WillChange<MutableSet> { _willChange() }
  }

  extension Map: ObservableObject {
    /// A publisher of signals for changes of the map.
    public var objectWillChange: RealmPublishers.WillChange<Map> { _willChange() }

    /// A publisher of the map, now and after each change.
    public var collectionPublisher: RealmPublishers.Value<Map> { collectionPublisher(keyPaths: nil) }

    /// Returns a publisher of the map, now and after each change of some properties of its values.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Map> {
      .init { queue, tell in
        self.observe(keyPaths: keyPaths, on: queue) { change in
          switch change {
          case .initial(let map), .update(let map, deletions: _, insertions: _, modifications: _):
            tell(.value(map))
          case .error: tell(.finished)
          }
        }
      }
    }

    /// A publisher of the changes of the map.
    public var changesetPublisher: RealmPublishers.MapChangeset<Map> { changesetPublisher(keyPaths: nil) }

    /// Returns a publisher of the changes of the map, limited to some properties of its values.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Map> {
      .init { queue, tell in self.observe(keyPaths: keyPaths, on: queue) { tell(.value($0)) } }
    }
  }

  extension RealmSubscribable {
    /// Returns a publisher of signals for changes; none for unmanaged values.
    func _willChange() -> RealmPublishers.Observation<Void, Never> {
      .init { _, tell in
        (self as? any ThreadConfined)?.realm == nil
          ? NotificationToken() : _rlmSubscribe(keyPaths: nil) { tell(.value(())) }
      }
    }
  }

  extension RealmCollection {
    /// A publisher of the collection, now and after each change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// Returns a publisher of the collection, now and after each change of some properties of its elements.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
      .init { queue, tell in
        observe(keyPaths: keyPaths, on: queue) { change in
          switch change {
          case .initial(let collection),
            .update(let collection, deletions: _, insertions: _, modifications: _):
            tell(.value(collection))
          case .error: tell(.finished)
          }
        }
      }
    }

    /// A publisher of the changes of the collection.
    public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> {
      changesetPublisher(keyPaths: nil)
    }

    /// Returns a publisher of the changes of the collection, limited to some properties of its elements.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
      .init { queue, tell in observe(keyPaths: keyPaths, on: queue) { tell(.value($0)) } }
    }
  }

  extension RealmSectionedResult {
    /// A publisher of the sections, now and after each change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// Returns a publisher of the sections, now and after each change of some properties of their elements.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
      .init { queue, tell in
        observe(keyPaths: keyPaths, on: queue) { change in
          switch change {
          case .initial(let sections): tell(.value(sections))
          case .update(let sections, deletions: _, insertions: _, modifications: _, _, _):
            tell(.value(sections))
          }
        }
      }
    }

    /// A publisher of the changes of the sections.
    public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
      changesetPublisher(keyPaths: nil)
    }

    /// Returns a publisher of the changes of the sections, limited to some properties of their elements.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
      .init { queue, tell in observe(keyPaths: keyPaths, on: queue) { tell(.value($0)) } }
    }
  }

  extension Realm {
    /// A publisher of changes of the realm, as `observe` reports them.
    public var objectWillChange: RealmPublishers.RealmWillChange {
      .init { _, tell in observe { _, _ in tell(.value(())) } }
    }

    /// Returns a publisher of a realm that is opened in the background, once.
    public static func asyncOpen(
      configuration: Configuration = .defaultConfiguration
    ) -> RealmPublishers.AsyncOpenPublisher { .init(configuration) }
  }

  /// Returns a publisher of an object after each change; it finishes when the object is deleted.
  public func valuePublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
    object._valuePublisher(keyPaths)
  }

  /// Returns a publisher of an embedded object after each change; it finishes when the object is deleted.
  public func valuePublisher<T: EmbeddedObject>(
    _ object: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.Value<T> {
    object._valuePublisher(keyPaths)
  }

  /// Returns a publisher of a projection after each change; it finishes when the root object is deleted.
  public func valuePublisher<T: ProjectionObservable>(
    _ projection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.Value<T> {
    .init { queue, tell in
      projection.observe(keyPaths: keyPaths, on: queue) { change in
        switch change {
        case .change(let projection, _): tell(.value(projection))
        case .deleted, .error: tell(.finished)
        }
      }
    }
  }

  /// Returns a publisher of the changes of a projection; it finishes when the root object is deleted.
  public func changesetPublisher<T: ProjectionObservable>(
    _ projection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.ObjectChangeset<T> {
    .init { queue, tell in
      projection.observe(keyPaths: keyPaths, on: queue) { change in
        tell(.value(change))
        if case .deleted = change { tell(.finished) }
      }
    }
  }

  /// Returns a publisher of a collection, now and after each change.
  public func valuePublisher<T: RealmCollection>(
    _ collection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.Value<T> {
    collection.collectionPublisher(keyPaths: keyPaths)
  }

  /// Returns a publisher of the changes of an object; it finishes when the object is deleted.
  public func changesetPublisher<T: Object>(
    _ object: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.ObjectChangeset<T> {
    object._changesetPublisher(keyPaths)
  }

  /// Returns a publisher of the changes of an embedded object; it finishes when the object is deleted.
  public func changesetPublisher<T: EmbeddedObject>(
    _ object: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.ObjectChangeset<T> {
    object._changesetPublisher(keyPaths)
  }

  /// Returns a publisher of the changes of a collection.
  public func changesetPublisher<T: RealmCollection>(
    _ collection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.CollectionChangeset<T> {
    collection.changesetPublisher(keyPaths: keyPaths)
  }
#endif
