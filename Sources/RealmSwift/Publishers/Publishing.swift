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
    /// Publishes that the object changes.
    public var objectWillChange: RealmPublishers.WillChange<Object> { _willChange() }
  }

  extension EmbeddedObject: ObservableObject {
    /// Publishes that the object changes.
    public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { _willChange() }
  }

  extension Projection: ObservableObject {
    /// Publishes that the object changes that is shown.
    public var objectWillChange: RealmPublishers.WillChange<Projection> { _willChange() }
  }

  extension List: ObservableObject {
    /// Publishes that the list changes.
    public var objectWillChange: RealmPublishers.WillChange<List> { _willChange() }
  }

  extension MutableSet: ObservableObject {
    /// Publishes that the set changes.
    public var objectWillChange: RealmPublishers.WillChange<MutableSet> { _willChange() }
  }

  extension Map: ObservableObject {
    /// Publishes that the map changes.
    public var objectWillChange: RealmPublishers.WillChange<Map> { _willChange() }

    /// Publishes the map, and again after each change.
    public var collectionPublisher: RealmPublishers.Value<Map> { collectionPublisher(keyPaths: nil) }

    /// Publishes the map, and again after each change of some properties of its values.
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

    /// Publishes what changes in the map.
    public var changesetPublisher: RealmPublishers.MapChangeset<Map> { changesetPublisher(keyPaths: nil) }

    /// Publishes what changes in the map, as far as it concerns some properties of its values.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Map> {
      .init { queue, tell in self.observe(keyPaths: keyPaths, on: queue) { tell(.value($0)) } }
    }
  }

  extension RealmSubscribable {
    /// Publishes that it changes; nothing for what is in memory only.
    func _willChange() -> RealmPublishers.Observation<Void, Never> {
      .init { _, tell in
        (self as? any ThreadConfined)?.realm == nil
          ? NotificationToken() : _rlmSubscribe(keyPaths: nil) { tell(.value(())) }
      }
    }
  }

  extension RealmCollection {
    /// Publishes the collection, and again after each change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// Publishes the collection, and again after each change of some properties of its elements.
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

    /// Publishes what changes in the collection.
    public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> {
      changesetPublisher(keyPaths: nil)
    }

    /// Publishes what changes in the collection, as far as it concerns some properties of its elements.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
      .init { queue, tell in observe(keyPaths: keyPaths, on: queue) { tell(.value($0)) } }
    }
  }

  extension RealmSectionedResult {
    /// Publishes the sections, and again after each change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// Publishes the sections, and again after each change of some properties of their elements.
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

    /// Publishes what changes in the sections.
    public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
      changesetPublisher(keyPaths: nil)
    }

    /// Publishes what changes in the sections, as far as it concerns some properties of their elements.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
      .init { queue, tell in observe(keyPaths: keyPaths, on: queue) { tell(.value($0)) } }
    }
  }

  extension Realm {
    /// Publishes that the realm changes, as `observe` tells.
    public var objectWillChange: RealmPublishers.RealmWillChange {
      .init { _, tell in observe { _, _ in tell(.value(())) } }
    }

    /// Publishes a realm that is opened in the background, once.
    public static func asyncOpen(
      configuration: Configuration = .defaultConfiguration
    ) -> RealmPublishers.AsyncOpenPublisher { .init(configuration) }
  }

  /// Publishes an object after each change; finishes when it was deleted.
  public func valuePublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
    object._valuePublisher(keyPaths)
  }

  /// Publishes an embedded object after each change; finishes when it was deleted.
  public func valuePublisher<T: EmbeddedObject>(
    _ object: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.Value<T> {
    object._valuePublisher(keyPaths)
  }

  /// Publishes a projection after each change; finishes when its object was deleted.
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

  /// Publishes what changes of a projection; finishes when its object was deleted.
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

  /// Publishes a collection, and again after each change.
  public func valuePublisher<T: RealmCollection>(
    _ collection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.Value<T> {
    collection.collectionPublisher(keyPaths: keyPaths)
  }

  /// Publishes what changes of an object; finishes when it was deleted.
  public func changesetPublisher<T: Object>(
    _ object: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.ObjectChangeset<T> {
    object._changesetPublisher(keyPaths)
  }

  /// Publishes what changes of an embedded object; finishes when it was deleted.
  public func changesetPublisher<T: EmbeddedObject>(
    _ object: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.ObjectChangeset<T> {
    object._changesetPublisher(keyPaths)
  }

  /// Publishes what changes in a collection.
  public func changesetPublisher<T: RealmCollection>(
    _ collection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.CollectionChangeset<T> {
    collection.changesetPublisher(keyPaths: keyPaths)
  }
#endif
