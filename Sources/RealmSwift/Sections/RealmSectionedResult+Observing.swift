import Dispatch
import Foundation

extension SectionedResults {
  /// Calls a block with the sections soon, and then after each transaction that changes them.
  ///
  /// Where, how often and for which changes is as for other collections.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the elements, over links, that count as modifications; nil or none for all.
  ///     Elements that come, go or change sections are told of in any case.
  ///   - queue: A serial queue to call the block on, with the sections as that queue's realm has them.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    core.observe(self, keyPaths: keyPaths, on: queue, Self.observerMaker(keyPaths, block))
  }

  /// Calls a block with the sections soon, and then after each transaction that changes them.
  ///
  /// The same as with names of properties.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken where SectionElement: ObjectBase {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block with the sections soon, and then after each transaction that changes them.
  ///
  /// The same as with names of properties.
  public func observe<Root: ObjectBase>(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken where SectionElement: Projection<Root> {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }
}

extension ResultsSection {
  /// Calls a block with the section soon, and then after each transaction that changes it, removes it or brings it
  /// back.
  ///
  /// Where, how often and for which changes is as for other collections.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the elements, over links, that count as modifications; nil or none for all.
  ///   - queue: A serial queue to call the block on, with the section as that queue's realm has it.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    core.observe(self, keyPaths: keyPaths, on: queue, Self.observerMaker(keyPaths, block))
  }

  /// Calls a block with the section soon, and then after each transaction that changes it, removes it or brings it
  /// back.
  ///
  /// The same as with names of properties.
  public func observe(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken where T: ObjectBase {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }

  /// Calls a block with the section soon, and then after each transaction that changes it, removes it or brings it
  /// back.
  ///
  /// The same as with names of properties.
  public func observe<Root: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken where T: Projection<Root> {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }
}

extension SectionedResults {
  /// Calls a block that belongs to an actor with the sections soon, and then after each transaction that changes
  /// them.
  ///
  /// As for other collections.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await core.observe(
      self, keyPaths: keyPaths, on: actor,
      Self.observerMaker(keyPaths) { actor._call(block, $0) })
  }

  /// Calls a block that belongs to an actor with the sections soon, and then after each transaction that changes
  /// them.
  ///
  /// The same as with names of properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where SectionElement: ObjectBase {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, block)
  }

  private static func observerMaker(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> (Self) -> Observer {
    { sections in
      SectionsObserver(sections.core, keyPaths: keyPaths) { block(SectionedResultsChange(sections, $0)) }
    }
  }
}

extension ResultsSection {
  /// Calls a block that belongs to an actor with the section soon, and then after each transaction that changes
  /// it.
  ///
  /// As for other collections.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await core.observe(
      self, keyPaths: keyPaths, on: actor,
      Self.observerMaker(keyPaths) { actor._call(block, $0) })
  }

  /// Calls a block that belongs to an actor with the section soon, and then after each transaction that changes
  /// it.
  ///
  /// The same as with names of properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken where T: ObjectBase {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, block)
  }

  private static func observerMaker(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> (Self) -> Observer {
    { section in
      SectionsObserver(section.core, keyPaths: keyPaths, only: section.identity) {
        block(SectionedResultsChange(section, $0))
      }
    }
  }
}

extension SectionsCore {
  fileprivate func observe<Sections: ThreadConfined>(
    _ sections: Sections, keyPaths: [String]?, on queue: DispatchQueue?,
    _ observer: @escaping (Sections) -> Observer
  ) -> NotificationToken {
    let realm = results.core.realm
    guard let queue else {
      realm.checkObservable()
      return realm.begin(observer(sections))
    }
    checkFollowable(keyPaths)
    return sections._observe(on: queue, realm) { sections, _ in observer(sections) }
  }

  fileprivate func observe<Sections: ThreadConfined, A: Actor>(
    _ sections: Sections, keyPaths: [String]?, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ observer: @escaping (Sections) -> Observer
  ) async -> NotificationToken {
    checkFollowable(keyPaths)
    return await sections._observe(on: actor, results.core.realm) { sections, _ in observer(sections) }
  }

  private func checkFollowable(_ keyPaths: [String]?) {
    results.core.realm.checkFollowable()
    // Unknown properties stop the program here, not on the queue.
    _ = CollectionTracker.make(results._rlmOrigin, keyPaths: keyPaths)
  }
}
