// Type-checked by Scripts/check-swiftui where there is no Combine.
#if canImport(Combine)
  import Combine
  import Dispatch
  import RealmSwift

  /// What publishes changes, and under which names.
  final class Publishing {
    private let queue = DispatchQueue(label: "publishing")
    private var token: NotificationToken?

    func opening() -> any Publisher<Realm, any Error> {
      let opening: RealmPublishers.AsyncOpenPublisher = Realm.asyncOpen(configuration: .defaultConfiguration)
      return opening.receive(on: queue)
    }

    func changesOfRealms(_ realm: Realm) -> any Publisher<Void, Never> {
      let changes: RealmPublishers.RealmWillChange = realm.objectWillChange
      return changes.saveToken(on: self, at: \.token)
    }

    func thatObjectsChange(_ dog: Dog, _ address: Address, _ list: List<Dog>) -> [any Publisher<Void, Never>]
    {
      let changes: RealmPublishers.WillChange<RealmSwiftObject> = dog.objectWillChange
      return [changes, address.objectWillChange, list.objectWillChange]
    }

    func objects(_ dog: Dog, _ address: Address) -> [any Publisher] {
      let values: RealmPublishers.Value<Dog> = valuePublisher(dog)
      let changes: RealmPublishers.ObjectChangeset<Dog> = changesetPublisher(dog, keyPaths: ["name"])
      let frozen: any Publisher<Dog, any Error> = values.freeze()
      let found: any Publisher<Dog, any Error> = values.saveToken(on: self, at: \.token)
        .threadSafeReference().receive(on: queue)
      let frozenChanges: any Publisher<ObjectChange<Dog>, Never> = changes.freeze()
      let foundChanges: any Publisher<ObjectChange<Dog>, Never> = changes.subscribe(on: queue)
        .threadSafeReference().receive(on: queue)
      return [
        frozen, found, frozenChanges, foundChanges, valuePublisher(address), changesetPublisher(address),
      ]
    }

    func projections(_ projection: PersonProjection) -> [any Publisher] {
      let values: RealmPublishers.Value<PersonProjection> = valuePublisher(projection)
      let changes: RealmPublishers.ObjectChangeset<PersonProjection> = changesetPublisher(projection)
      let found: any Publisher<PersonProjection, any Error> = values.threadSafeReference().receive(on: queue)
      return [values.freeze(), found, changes.freeze()]
    }

    func collections(_ dogs: Results<Dog>, _ list: List<Dog>, _ words: MutableSet<String>) -> [any Publisher]
    {
      let values: RealmPublishers.Value<Results<Dog>> = dogs.collectionPublisher
      let changes: RealmPublishers.CollectionChangeset<Results<Dog>> = dogs.changesetPublisher
      let frozen: any Publisher<Results<Dog>, any Error> = values.freeze()
      let found: any Publisher<Results<Dog>, any Error> = values.subscribe(on: queue)
        .saveToken(on: self, at: \.token).threadSafeReference().receive(on: queue)
      let frozenChanges: any Publisher<RealmCollectionChange<Results<Dog>>, Never> = changes.freeze()
      let foundChanges: any Publisher<RealmCollectionChange<Results<Dog>>, Never> =
        changes.threadSafeReference().receive(on: queue)
      return [
        frozen, found, frozenChanges, foundChanges, valuePublisher(list), changesetPublisher(words),
        list.changesetPublisher(keyPaths: ["name"]), words.collectionPublisher(keyPaths: nil),
      ]
    }

    func maps(_ dogs: Map<String, Dog?>) -> [any Publisher] {
      let values: RealmPublishers.Value<Map<String, Dog?>> = dogs.collectionPublisher
      let changes: RealmPublishers.MapChangeset<Map<String, Dog?>> = dogs.changesetPublisher(keyPaths: [
        "name"
      ])
      let found: any Publisher<Map<String, Dog?>, any Error> = values.threadSafeReference().receive(on: queue)
      let frozenChanges: any Publisher<RealmMapChange<Map<String, Dog?>>, Never> = changes.freeze()
      let foundChanges: any Publisher<RealmMapChange<Map<String, Dog?>>, Never> =
        changes.saveToken(on: self, at: \.token).threadSafeReference().receive(on: queue)
      return [values.freeze(), found, frozenChanges, foundChanges, dogs.objectWillChange]
    }

    func sections(_ dogs: SectionedResults<String, Dog>) -> [any Publisher] {
      typealias Sections = SectionedResults<String, Dog>
      let values: RealmPublishers.Value<Sections> = dogs.collectionPublisher
      let changes: RealmPublishers.SectionedResultsChangeset<Sections> = dogs.changesetPublisher
      let ofOne: RealmPublishers.SectionChangeset<ResultsSection<String, Dog>> = dogs[0].changesetPublisher
      let found: any Publisher<Sections, any Error> = values.threadSafeReference().receive(on: queue)
      let frozenChanges: any Publisher<SectionedResultsChange<Sections>, Never> = changes.freeze()
      let foundChanges: any Publisher<SectionedResultsChange<Sections>, Never> =
        changes.saveToken(on: self, at: \.token).threadSafeReference().receive(on: queue)
      return [values.freeze(), found, frozenChanges, foundChanges, ofOne.freeze()]
    }
  }
#endif
