#if canImport(Combine)
  public import Combine
  import Dispatch

  // Live objects belong to one place: publishers freeze them, or find them again where they are received.

  extension Publisher where Output: ThreadConfined {
    /// Returns a publisher of frozen copies, which can be read on any thread.
    public func freeze() -> Publishers.Map<Self, Output> { map { $0.freeze() } }

    /// Returns a publisher whose `receive(on:)` resolves the same objects where they are received.
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self, Output> {
      RealmPublishers.MakeThreadSafe(upstream: self) {
        $0
      } with: { _, found in
        found
      }
    }
  }

  extension Publisher {
    /// Returns a publisher of changes of frozen collections, which can be read on any thread.
    public func freeze<C: RealmCollection>() -> Publishers.Map<Self, RealmCollectionChange<C>>
    where Output == RealmCollectionChange<C> {
      map { change in change.collection.map { change.with($0.freeze()) } ?? change }
    }

    /// Returns a publisher of changes of frozen maps, which can be read on any thread.
    public func freeze<C: RealmKeyedCollection>() -> Publishers.Map<Self, RealmMapChange<C>>
    where Output == RealmMapChange<C> {
      map { change in change.collection.map { change.with($0.freeze()) } ?? change }
    }

    /// Returns a publisher of changes of frozen objects, which can be read on any thread.
    public func freeze<T: ThreadConfined>() -> Publishers.Map<Self, ObjectChange<T>>
    where Output == ObjectChange<T> {
      map { change in change.object.map { change.with($0.freeze()) } ?? change }
    }

    /// Returns a publisher of changes of frozen sections, which can be read on any thread.
    public func freeze<C: RealmSectionedResult>() -> Publishers.Map<Self, SectionedResultsChange<C>>
    where Output == SectionedResultsChange<C> {
      map { change in change.with(change.collection.freeze()) }
    }

    /// Returns a publisher whose `receive(on:)` resolves the same sections where their changes are received.
    public func threadSafeReference<C: RealmSectionedResult>() -> RealmPublishers.MakeThreadSafe<Self, C>
    where Output == SectionedResultsChange<C> {
      RealmPublishers.MakeThreadSafe(upstream: self) {
        $0.collection
      } with: {
        $0.with($1)
      }
    }

    /// Returns a publisher whose `receive(on:)` resolves the same collections where their changes are received.
    public func threadSafeReference<C: RealmCollection>() -> RealmPublishers.MakeThreadSafe<Self, C>
    where Output == RealmCollectionChange<C> {
      RealmPublishers.MakeThreadSafe(upstream: self) {
        $0.collection
      } with: {
        $0.with($1)
      }
    }

    /// Returns a publisher whose `receive(on:)` resolves the same maps where their changes are received.
    public func threadSafeReference<C: RealmKeyedCollection>() -> RealmPublishers.MakeThreadSafe<Self, C>
    where Output == RealmMapChange<C> {
      RealmPublishers.MakeThreadSafe(upstream: self) {
        $0.collection
      } with: {
        $0.with($1)
      }
    }

    /// Returns a publisher whose `receive(on:)` resolves the same objects where their changes are received.
    public func threadSafeReference<T: ThreadConfined>() -> RealmPublishers.MakeThreadSafe<Self, T>
    where Output == ObjectChange<T> {
      RealmPublishers.MakeThreadSafe(upstream: self) {
        $0.object
      } with: {
        $0.with($1)
      }
    }
  }

  extension RealmPublishers {
    /// A publisher of values of one thread or queue that can be received on another.
    public struct MakeThreadSafe<Upstream: Publisher, Confined: ThreadConfined> {
      fileprivate let upstream: Upstream
      fileprivate let confined: (Upstream.Output) -> Confined?
      fileprivate let replacing: (Upstream.Output, Confined) -> Upstream.Output

      fileprivate init(
        upstream: Upstream, _ confined: @escaping (Upstream.Output) -> Confined?,
        with replacing: @escaping (Upstream.Output, Confined) -> Upstream.Output
      ) {
        self.upstream = upstream
        self.confined = confined
        self.replacing = replacing
      }

      /// Returns a publisher that publishes on a scheduler, with values of the realm there. Values that were deleted in
      /// the meantime are omitted.
      public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
      ) -> AnyPublisher<Upstream.Output, Upstream.Failure> {
        let queue = scheduler as? DispatchQueue
        let (confined, replacing) = (confined, replacing)
        return upstream.map { Passage($0, confined($0)) }
          .receive(on: scheduler, options: options)
          .compactMap { $0.arrival(on: queue, replacing) }
          .eraseToAnyPublisher()
      }
    }

    /// A value that is passed from one thread or queue to another.
    private struct Passage<Output, Confined: ThreadConfined> {
      let output: Output
      private let reference: ThreadSafeReference<Confined>?
      private let configuration: Realm.Configuration?
      /// The value was deleted before it was passed.
      private let isGone: Bool

      init(_ output: Output, _ confined: Confined?) {
        self.output = output
        isGone = confined?.isGone ?? false
        guard !isGone, let confined, !confined.isFrozen, let realm = confined.realm else {
          (reference, configuration) = (nil, nil)
          return
        }
        reference = ThreadSafeReference(to: confined)
        configuration = realm.configuration
      }

      func arrival(on queue: DispatchQueue?, _ replacing: (Output, Confined) -> Output) -> Output? {
        if isGone { return nil }
        guard let reference, let configuration else { return output }
        let isMain = queue == nil || queue === DispatchQueue.main
        do {
          let realm = try Realm(configuration: configuration, queue: isMain ? nil : queue)
          return realm.resolve(reference).map { replacing(output, $0) }
        } catch {
          Logger.shared.log(.error, "What was published is left out: \(error)")
          return nil
        }
      }
    }
  }

  // MARK: Changes of something else

  extension RealmCollectionChange {
    fileprivate var collection: CollectionType? {
      switch self {
      case .initial(let collection), .update(let collection, deletions: _, insertions: _, modifications: _):
        collection
      case .error: nil
      }
    }

    fileprivate func with(_ collection: CollectionType) -> RealmCollectionChange {
      switch self {
      case .initial: .initial(collection)
      case .update(_, let deletions, let insertions, let modifications):
        .update(collection, deletions: deletions, insertions: insertions, modifications: modifications)
      case .error: self
      }
    }
  }

  extension RealmMapChange {
    fileprivate var collection: Collection? {
      switch self {
      case .initial(let map), .update(let map, deletions: _, insertions: _, modifications: _): map
      case .error: nil
      }
    }

    fileprivate func with(_ map: Collection) -> RealmMapChange {
      switch self {
      case .initial: .initial(map)
      case .update(_, let deletions, let insertions, let modifications):
        .update(map, deletions: deletions, insertions: insertions, modifications: modifications)
      case .error: self
      }
    }
  }

  extension SectionedResultsChange {
    fileprivate var collection: Collection {
      switch self {
      case .initial(let sections): sections
      case .update(let sections, deletions: _, insertions: _, modifications: _, _, _): sections
      }
    }

    fileprivate func with(_ sections: Collection) -> SectionedResultsChange {
      switch self {
      case .initial: .initial(sections)
      case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
        .update(
          sections, deletions: deletions, insertions: insertions, modifications: modifications,
          sectionsToInsert: inserted, sectionsToDelete: deleted)
      }
    }
  }

  extension ObjectChange {
    fileprivate var object: T? {
      if case .change(let object, _) = self { object } else { nil }
    }

    fileprivate func with(_ object: T) -> ObjectChange {
      if case .change(_, let changes) = self { .change(object, changes) } else { self }
    }
  }
#endif
