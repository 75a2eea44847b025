public import Dispatch

extension RealmSectionedResult {
  /// Calls a block with the sections, or the section, soon, and then after each transaction that changes
  /// them. For a single section, its disappearance and reappearance are reported as well.
  ///
  /// The rules are those of other collections.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the elements, which can follow links, whose changes are modifications;
  ///     nil or an empty array for all. Elements that are added, removed or change their section are always
  ///     reported.
  ///   - queue: A serial queue on which the block is called, with the sections of the realm of that queue.
  ///   - block: A block that is called with each change.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let realm = _rlmSections.realm
    guard let queue else {
      realm.checkObservable()
      return realm.begin(observer(keyPaths, block))
    }
    checkFollowable(keyPaths)
    return _observe(on: queue, realm) { sections, _ in sections.observer(keyPaths, block) }
  }

  /// Calls a block with the sections soon, and then after each transaction that changes them. Takes key paths
  /// instead of names of properties.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken where SectionElement: ObjectBase {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block with the sections soon, and then after each transaction that changes them. Takes key paths
  /// instead of names of properties.
  public func observe<Root: ObjectBase>(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken where SectionElement: Projection<Root> {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block that is isolated to an actor with the sections soon, and then after each transaction that
  /// changes them. The rules are those of other collections.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    checkFollowable(keyPaths)
    return await _observe(on: actor, _rlmSections.realm) { sections, _ in
      sections.observer(keyPaths) { actor._call(block, $0) }
    }
  }

  /// Calls a block that is isolated to an actor with the sections soon, and then after each transaction that
  /// changes them. Takes key paths instead of names of properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where SectionElement: ObjectBase {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, block)
  }

  private func observer(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> any Observer {
    _rlmSections.observer(keyPaths) { block(SectionedResultsChange(self, $0)) }
  }

  /// Stops the program unless the sections can change and their elements have the properties. Returns their realm.
  @discardableResult func checkFollowable(_ keyPaths: [String]?) -> RealmCore {
    let sections = _rlmSections
    sections.realm.checkFollowable()
    // Unknown properties stop the program here, not on the queue.
    sections.results.observedKeyPaths(keyPaths)
    return sections.realm
  }
}
