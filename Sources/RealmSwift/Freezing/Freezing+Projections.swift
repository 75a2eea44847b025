extension Projection {
  /// Returns a projection of the frozen root object, which never changes and can be read on any thread. Stops
  /// the program if the root object is unmanaged.
  public func freeze() -> sending Self {
    unconfined(
      isFrozen
        ? self : type(of: self).init(projecting: unsafeDowncast(rootObject.frozenObject(), to: Root.self)))
  }

  /// Returns a projection of the live root object on the current thread, or nil if it was deleted. Stops the
  /// program if the root object is unmanaged.
  public func thaw() -> Self? {
    rootObject.thawedObject().map { type(of: self).init(projecting: unsafeDowncast($0, to: Root.self)) }
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    let root = rootObject._rlmRelocation
    let type = type(of: self)
    return _Relocation(
      find: { root.find($0).map { type.init(projecting: $0 as! Root) } }, row: root.row)
  }
}

extension ProjectedCollection {
  /// Returns a frozen copy of the collection, which never changes and can be read on any thread. Stops the
  /// program if the collection is unmanaged.
  public func freeze() -> sending ProjectedCollection { unconfined(ProjectedCollection(mapped.freeze())) }

  /// Returns the live collection on the current thread, or nil if it no longer exists.
  public func thaw() -> ProjectedCollection? { mapped.thaw().map { ProjectedCollection($0) } }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public var _rlmRelocation: _Relocation {
    let source = mapped.relocation
    let rebuild = mapped.rebuild
    return _Relocation(
      find: { source.find($0).flatMap(rebuild).map { ProjectedCollection($0) } }, row: source.row,
      isQuery: source.isQuery, isEvaluatedAgain: source.isEvaluatedAgain)
  }
}
