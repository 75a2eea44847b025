#if canImport(Combine)
  public import Combine
  import Dispatch

  /// Combine publishers for the changes of realms, objects and collections. Without Combine, `changes` is an asynchronous
  /// sequence of the same changes.
  public enum RealmPublishers {
    /// A publisher of a collection or an object after each change.
    public typealias Value<Subscribable> = Observation<Subscribable, any Error>
    /// A publisher that signals changes of an object or a collection.
    public typealias WillChange<Subscribable> = Observation<Void, Never>
    /// A publisher that signals changes of a realm.
    public typealias RealmWillChange = Observation<Void, Never>
    /// A publisher of the changes of an object, which finishes when the object is deleted.
    public typealias ObjectChangeset<Subscribable> = Observation<ObjectChange<Subscribable>, Never>
    /// A publisher of the changes of a collection.
    public typealias CollectionChangeset<Collection: RealmCollection> =
      Observation<RealmCollectionChange<Collection>, Never>
    /// A publisher of the changes of a map.
    public typealias MapChangeset<Collection: RealmKeyedCollection> =
      Observation<RealmMapChange<Collection>, Never>
    /// A publisher of the changes of sections.
    public typealias SectionedResultsChangeset<Collection: RealmSectionedResult> =
      Observation<SectionedResultsChange<Collection>, Never>
    /// A publisher of the changes of a section.
    public typealias SectionChangeset<Collection: RealmSectionedResult> =
      Observation<SectionedResultsChange<Collection>, Never>

    /// A publisher of one realm, which is opened in the background upon subscription.
    public struct AsyncOpenPublisher: Publisher {
      /// The published type.
      public typealias Output = Realm
      /// The error of opening the realm.
      public typealias Failure = any Error

      let configuration: Realm.Configuration
      private var queue = DispatchQueue.main

      init(_ configuration: Realm.Configuration) { self.configuration = configuration }

      /// Returns a publisher that opens the realm for another queue than the main queue and publishes it there.
      ///
      /// Stops the program if the scheduler is not a serial dispatch queue.
      public func receive<S: Scheduler>(on scheduler: S) -> AsyncOpenPublisher {
        var copy = self
        copy.queue = RealmPublishers.queue(scheduler)
        return copy
      }

      /// Attaches a subscriber, as Combine's `Publisher` requires.
      public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let (configuration, queue) = (configuration, queue)
        subscriber.receive(
          subscription: AsyncOpenSubscription {
            Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
              switch result {
              case .success(let realm):
                _ = subscriber.receive(realm)
                subscriber.receive(completion: .finished)
              case .failure(let error): subscriber.receive(completion: .failure(error))
              }
            }
          })
      }
    }

    /// The queue that a scheduler is; stops the program for others.
    private static func queue(_ scheduler: some Scheduler) -> DispatchQueue {
      if let queue = scheduler as? DispatchQueue { return queue }
      trap(
        "Cannot subscribe on scheduler \(scheduler): only serial dispatch queues are currently implemented.")
    }

    /// An event of an observation.
    enum Event<Output> {
      case value(Output)
      /// No more events follow.
      case finished
    }

    /// A publisher of the events of an observation, from subscription until cancellation.
    public struct Observation<Output, Failure: Error>: Publisher {
      private let begin: (DispatchQueue?, @escaping (Event<Output>) -> Void) -> NotificationToken
      private var queue: DispatchQueue?
      private var keep: (NotificationToken) -> Void = { _ in }

      init(_ begin: @escaping (DispatchQueue?, @escaping (Event<Output>) -> Void) -> NotificationToken) {
        self.begin = begin
      }

      /// Returns a publisher that observes on a queue and publishes values of the realm of that queue.
      ///
      /// Stops the program if the scheduler is not a serial dispatch queue.
      public func subscribe<S: Scheduler>(on scheduler: S) -> Observation {
        var copy = self
        copy.queue = RealmPublishers.queue(scheduler)
        return copy
      }

      /// Stores the token of each observation in a property, for `write(withoutNotifying:)`.
      public func saveToken<Owner: AnyObject>(
        on owner: Owner, at keyPath: ReferenceWritableKeyPath<Owner, NotificationToken?>
      ) -> Observation {
        var copy = self
        copy.keep = { [weak owner] in owner?[keyPath: keyPath] = $0 }
        return copy
      }

      /// Attaches a subscriber, as Combine's `Publisher` requires.
      public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let token = begin(queue) { event in
          switch event {
          case .value(let value): _ = subscriber.receive(value)
          case .finished: subscriber.receive(completion: .finished)
          }
        }
        keep(token)
        subscriber.receive(subscription: ObservationSubscription(token: token))
      }
    }
  }

  /// A subscription to a realm that is being opened.
  public final class AsyncOpenSubscription: Subscription {
    private var open: (() -> AsyncOpenTask)?
    private var task: AsyncOpenTask?

    init(_ open: @escaping () -> AsyncOpenTask) { self.open = open }

    /// Begins to open the realm.
    public func request(_ demand: Subscribers.Demand) {
      guard let open else { return }
      self.open = nil
      task = open()
    }

    /// Cancels opening, unless the realm is open already.
    public func cancel() {
      open = nil
      task?.cancel()
    }
  }

  /// A subscription to the events of an observation.
  public struct ObservationSubscription: Subscription {
    private let token: NotificationToken

    init(token: NotificationToken) { self.token = token }

    /// The identity of the subscription.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(token) }

    /// Ignores the demand: changes are published when they occur.
    public func request(_ demand: Subscribers.Demand) {}

    /// Ends the observation.
    public func cancel() { token.invalidate() }
  }
#endif
