#if canImport(Combine)
  public import Combine
  import Dispatch

  /// Combine's view of what can be observed. Where there is no Combine, `changes` of the same things is an asynchronous
  /// sequence.
  public enum RealmPublishers {
    /// Publishes a collection or an object whenever it has changed.
    public typealias Value<Subscribable> = Observation<Subscribable, any Error>
    /// Publishes that something changes.
    public typealias WillChange<Subscribable> = Observation<Void, Never>
    /// Publishes that a realm changes.
    public typealias RealmWillChange = Observation<Void, Never>
    /// Publishes what has changed of an object; finishes when the object was deleted.
    public typealias ObjectChangeset<Subscribable> = Observation<ObjectChange<Subscribable>, Never>
    /// Publishes what has changed in a collection.
    public typealias CollectionChangeset<Collection: RealmCollection> =
      Observation<RealmCollectionChange<Collection>, Never>
    /// Publishes what has changed in a map.
    public typealias MapChangeset<Collection: RealmKeyedCollection> =
      Observation<RealmMapChange<Collection>, Never>
    /// Publishes what has changed in sections.
    public typealias SectionedResultsChangeset<Collection: RealmSectionedResult> =
      Observation<SectionedResultsChange<Collection>, Never>
    /// Publishes what has changed in a section.
    public typealias SectionChangeset<Collection: RealmSectionedResult> =
      Observation<SectionedResultsChange<Collection>, Never>

    /// Publishes a realm once, which is opened in the background upon subscription.
    public struct AsyncOpenPublisher: Publisher {
      /// What is published.
      public typealias Output = Realm
      /// Why it could not be opened.
      public typealias Failure = any Error

      let configuration: Realm.Configuration
      private var queue = DispatchQueue.main

      init(_ configuration: Realm.Configuration) { self.configuration = configuration }

      /// Publishes on another queue than the main one, with a realm of that queue.
      ///
      /// Stops the program for a scheduler that is no serial dispatch queue.
      public func receive<S: Scheduler>(on scheduler: S) -> AsyncOpenPublisher {
        var copy = self
        copy.queue = RealmPublishers.queue(scheduler)
        return copy
      }

      /// Subscribes, as Combine's `Publisher` requires.
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

    /// What an observation has to tell.
    enum Event<Output> {
      case value(Output)
      /// There will be nothing more to tell.
      case finished
    }

    /// Publishes what an observation tells, from subscription until cancellation.
    public struct Observation<Output, Failure: Error>: Publisher {
      private let begin: (DispatchQueue?, @escaping (Event<Output>) -> Void) -> NotificationToken
      private var queue: DispatchQueue?
      private var keep: (NotificationToken) -> Void = { _ in }

      init(_ begin: @escaping (DispatchQueue?, @escaping (Event<Output>) -> Void) -> NotificationToken) {
        self.begin = begin
      }

      /// Observes on a queue, with what is published as the queue's realm has it.
      ///
      /// Stops the program for a scheduler that is no serial dispatch queue.
      public func subscribe<S: Scheduler>(on scheduler: S) -> Observation {
        var copy = self
        copy.queue = RealmPublishers.queue(scheduler)
        return copy
      }

      /// Stores the token of each observation in a property, so that `write(withoutNotifying:)` can be given it.
      public func saveToken<Owner: AnyObject>(
        on owner: Owner, at keyPath: ReferenceWritableKeyPath<Owner, NotificationToken?>
      ) -> Observation {
        var copy = self
        copy.keep = { [weak owner] in owner?[keyPath: keyPath] = $0 }
        return copy
      }

      /// Subscribes, as Combine's `Publisher` requires.
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

  /// The subscription to a realm that is opened.
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

    /// Gives up opening, if the realm is not open already.
    public func cancel() {
      open = nil
      task?.cancel()
    }
  }

  /// The subscription to what an observation tells.
  public struct ObservationSubscription: Subscription {
    private let token: NotificationToken

    init(token: NotificationToken) { self.token = token }

    /// Identifies the subscription.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(token) }

    /// Demand is not looked at: changes are told when they happen.
    public func request(_ demand: Subscribers.Demand) {}

    /// Ends the observation.
    public func cancel() { token.invalidate() }
  }
#endif
