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
    core.observe(keyPaths: keyPaths) { block(SectionedResultsChange(self, $0)) }
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
    core.observe(keyPaths: keyPaths, only: identity) { block(SectionedResultsChange(self, $0)) }
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

extension SectionsCore {
  fileprivate func observe(
    keyPaths: [String]?, only: ValueIdentity? = nil, _ block: @escaping (SectionDifference?) -> Void
  ) -> NotificationToken {
    let realm = results.core.realm
    realm.checkObservable()
    return realm.begin(SectionsObserver(self, keyPaths: keyPaths, only: only, block))
  }
}
