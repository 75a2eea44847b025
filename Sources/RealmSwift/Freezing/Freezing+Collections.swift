extension CollectionBacking {
  /// The same in a frozen realm; nil when it is of one already.
  fileprivate var frozen: (any CollectionBacking)? {
    if realm.isFrozen { return nil }
    checkAccess()
    let location = location
    return realm.freeze { $0.collection(at: location) }
  }

  fileprivate var thawed: (any CollectionBacking)? { realm.thawed().collection(at: location) }
}

extension List {
  /// Returns a frozen copy of the list, which never changes and can be read on any thread. Stops the program
  /// if the list is unmanaged.
  public func freeze() -> sending List {
    guard let backing else { UnmanagedCollection.notManaged("RLMArray") }
    return unconfined(backing.frozen.map { List(backing: $0) } ?? self)
  }

  /// Returns the live list on the current thread, or nil if its object was deleted.
  public func thaw() -> List? {
    guard let backing else { UnmanagedCollection.notManaged("RLMArray") }
    if !backing.realm.isFrozen { return self }
    return backing.thawed.map { List(backing: $0) }
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    guard let backing else { _Relocation.failUnmanaged() }
    let location = backing.location
    return _Relocation(
      find: { $0.collection(at: location).map { List<Element>(backing: $0) } }, row: location.row)
  }
}

extension MutableSet {
  /// Returns a frozen copy of the set, which never changes and can be read on any thread. Stops the program
  /// if the set is unmanaged.
  public func freeze() -> sending MutableSet {
    guard let backing else { UnmanagedCollection.notManaged("RLMSet") }
    return unconfined(backing.frozen?.stored.map { MutableSet(backing: $0) } ?? self)
  }

  /// Returns the live set on the current thread, or nil if its object was deleted.
  public func thaw() -> MutableSet? {
    guard let backing else { UnmanagedCollection.notManaged("RLMSet") }
    if !backing.realm.isFrozen { return self }
    return backing.thawed?.stored.map { MutableSet(backing: $0) }
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    guard let backing else { _Relocation.failUnmanaged() }
    let location = backing.location
    return _Relocation(
      find: { $0.collection(at: location)?.stored.map { MutableSet<Element>(backing: $0) } },
      row: location.row)
  }
}

extension Map {
  /// Returns a frozen copy of the map, which never changes and can be read on any thread. Stops the program
  /// if the map is unmanaged.
  public func freeze() -> sending Map {
    guard let backing else { UnmanagedCollection.notManaged("RLMDictionary") }
    return unconfined(backing.frozen.map { Map(backing: $0) } ?? self)
  }

  /// Returns the live map on the current thread, or nil if its object was deleted.
  public func thaw() -> Map? {
    guard let backing else { UnmanagedCollection.notManaged("RLMDictionary") }
    if !backing.realm.isFrozen { return self }
    return backing.thawed.map { Map(backing: $0) }
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    guard let backing else { _Relocation.failUnmanaged() }
    let location = backing.location
    return _Relocation(
      find: { $0.collection(at: location).map { Map<Key, Value>(backing: $0) } }, row: location.row)
  }
}

extension Results {
  /// Returns frozen results, which never change and can be read on any thread.
  ///
  /// ```swift
  /// let frozen = huts.where { $0.beds < 20 }.freeze()
  /// Task.detached { print(frozen.count) }
  /// ```
  public func freeze() -> sending Results {
    if isFrozen { return unconfined(self) }
    let location = core.location
    return unconfined(Results(core: core.realm.freeze { $0.results(at: location) }))
  }

  /// Returns the live results on the current thread, or nil if they are of a collection whose object was
  /// deleted.
  public func thaw() -> Results? {
    isFrozen ? core.realm.thawed().results(at: core.location).map { Results(core: $0) } : self
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    let location = core.location
    return _Relocation(
      find: { $0.results(at: location).map { Results<Element>(core: $0) } }, row: location.origin.row,
      isQuery: true, isEvaluatedAgain: !core.realm.isClosed)
  }
}

extension LinkingObjects {
  /// Returns a frozen copy of the collection, which never changes and can be read on any thread. Stops the
  /// program if its object is unmanaged.
  public func freeze() -> sending LinkingObjects {
    guard let target else { UnmanagedCollection.notManaged("RLMLinkingObjects") }
    if isFrozen { return unconfined(self) }
    target.checkAccess()
    let location = target.location
    return unconfined(
      LinkingObjects(target.realm.freeze { $0.links(at: location) }, originProperty: originProperty))
  }

  /// Returns the live collection on the current thread, or nil if its object was deleted.
  public func thaw() -> LinkingObjects? {
    guard let target else { UnmanagedCollection.notManaged("RLMLinkingObjects") }
    if !isFrozen { return self }
    return target.realm.thawed().links(at: target.location).map {
      LinkingObjects($0, originProperty: originProperty)
    }
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    guard let target else { _Relocation.failUnmanaged() }
    let location = target.location
    let originProperty = originProperty
    return _Relocation(
      find: { $0.links(at: location).map { LinkingObjects($0, originProperty: originProperty) } },
      row: (location.table, location.row))
  }
}

extension AnyRealmCollection {
  /// Returns a frozen copy of the collection, which never changes and can be read on any thread. Stops the
  /// program if the collection is unmanaged.
  public func freeze() -> sending AnyRealmCollection { unconfined(AnyRealmCollection(base: base.freeze())) }

  /// Returns the live collection on the current thread, or nil if it no longer exists.
  public func thaw() -> AnyRealmCollection? { base.thaw().map { AnyRealmCollection(base: $0) } }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    var relocation = base.relocation
    let find = relocation.find
    let rebuild = base.rebuild
    relocation = _Relocation(
      find: { find($0).flatMap(rebuild).map { AnyRealmCollection(base: $0) } }, row: relocation.row,
      isQuery: relocation.isQuery, isEvaluatedAgain: relocation.isEvaluatedAgain)
    return relocation
  }
}

extension SectionedResults {
  /// Returns frozen sections, which never change and can be read on any thread. The sections are computed
  /// again.
  public func freeze() -> sending SectionedResults {
    unconfined(isFrozen ? self : SectionedResults(core.results.freeze(), by: core.keyBlock))
  }

  /// Returns the live sections on the current thread, or nil if they are of a collection that no longer
  /// exists.
  public func thaw() -> SectionedResults? {
    isFrozen ? core.results.thaw().map { SectionedResults($0, by: core.keyBlock) } : self
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    let results = core.results._rlmRelocation
    let keyBlock = core.keyBlock
    return _Relocation(
      find: { realm in
        (results.find(realm) as? Results<SectionElement>).map { SectionedResults($0, by: keyBlock) }
      }, row: results.row, isQuery: true, isEvaluatedAgain: results.isEvaluatedAgain)
  }
}

extension ResultsSection {
  /// Returns a frozen section, which never changes and can be read on any thread.
  public func freeze() -> sending ResultsSection {
    unconfined(
      isFrozen
        ? self : ResultsSection(SectionedResults(core: core).freeze().core, key: key, identity: identity))
  }

  /// Returns the live section with the same key on the current thread.
  public func thaw() -> ResultsSection? {
    if !isFrozen { return self }
    return SectionedResults(core: core).thaw().map { ResultsSection($0.core, key: key, identity: identity) }
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    let sections = SectionedResults(core: core)._rlmRelocation
    let (key, identity) = (key, identity)
    return _Relocation(
      find: { realm in
        (sections.find(realm) as? SectionedResults<Key, T>).map {
          ResultsSection($0.core, key: key, identity: identity)
        }
      }, row: sections.row, isQuery: true,
      isEvaluatedAgain: sections.isEvaluatedAgain && core.index(of: identity) != nil)
  }
}
