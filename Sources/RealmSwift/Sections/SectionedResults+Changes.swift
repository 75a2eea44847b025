extension SectionedResults {
  /// The changes of the sections, beginning with the sections as they are.
  public var changes: ChangeSequence<SectionedResultsChange<SectionedResults>> { changes(keyPaths: nil) }

  /// Returns the changes of the sections, beginning with the sections as they are; of their elements only the changes of
  /// some properties.
  ///
  /// The closure that makes the keys runs in the background, on the realm of the sequence: it must not use state of
  /// other threads. Stops the program for sections of a frozen or read-only realm, and when a property does not exist.
  public func changes(keyPaths: [String]?) -> ChangeSequence<SectionedResultsChange<SectionedResults>> {
    _changes(checkFollowable(keyPaths)) { found, _, give in
      found._rlmSections.observer(keyPaths) { difference in
        guard !found.isGone else { return }
        give(SectionedResultsChange(found.freeze(), difference))
      }
    }
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the sections: first from the
  /// sections as they are, then after each change.
  ///
  /// The closure runs in the background, on the realm of the sequence, and so does the one that makes the keys, which
  /// must not use state of other threads.
  ///
  /// Stops the program for sections of a frozen or read-only realm, and when a property does not exist.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the elements, over links, whose changes count; nil or none for all. Elements that
  ///     are inserted, deleted or change sections always count.
  ///   - transform: Makes a value from the sections. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    keyPaths: [String]? = nil, map transform: @escaping @Sendable (SectionedResults) -> Value
  ) -> ChangeSequence<Value> {
    _changes(checkFollowable(keyPaths)) { found, _, give in
      found._rlmSections.observer(keyPaths) { _ in
        if !found.isGone { give(transform(found)) }
      }
    }
  }

  /// Returns the changes of the sections, beginning with the sections as they are; of their objects only the changes of
  /// some properties.
  public func changes(
    keyPaths: [PartialKeyPath<SectionElement>]
  ) -> ChangeSequence<SectionedResultsChange<SectionedResults>> where SectionElement: ObjectBase {
    changes(keyPaths: keyPaths.map { _name(for: $0) })
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the sections: first from the
  /// sections as they are, then after each change of the sections or of some properties of their objects.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the objects whose changes count; none for all.
  ///   - transform: Makes a value from the sections. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    keyPaths: [PartialKeyPath<SectionElement>], map transform: @escaping @Sendable (SectionedResults) -> Value
  ) -> ChangeSequence<Value> where SectionElement: ObjectBase {
    changes(keyPaths: keyPaths.map { _name(for: $0) }, map: transform)
  }

  /// Returns the changes of the sections, beginning with the sections as they are; of their projections only the changes of
  /// some properties.
  public func changes<Root: ObjectBase>(
    keyPaths: [PartialKeyPath<SectionElement>]
  ) -> ChangeSequence<SectionedResultsChange<SectionedResults>> where SectionElement: Projection<Root> {
    changes(keyPaths: keyPaths.map { _name(for: $0) })
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the sections: first from the
  /// sections as they are, then after each change of the sections or of some properties of their projections.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the projections whose changes count; none for all.
  ///   - transform: Makes a value from the sections. It reads what the feed needs and writes nothing.
  public func changes<Root: ObjectBase, Value: Sendable>(
    keyPaths: [PartialKeyPath<SectionElement>], map transform: @escaping @Sendable (SectionedResults) -> Value
  ) -> ChangeSequence<Value> where SectionElement: Projection<Root> {
    changes(keyPaths: keyPaths.map { _name(for: $0) }, map: transform)
  }
}
