// What belongs to a thread, queue or actor must not be sent to another one. Frozen values may be, which the type does
// not tell: what `freeze` returns can be sent once, and freezing it again gives the same to send once more.

/// Returns a frozen value, which belongs to no thread, as `sending`.
@inline(__always)
func unconfined<Frozen>(_ frozen: Frozen) -> sending Frozen {
  nonisolated(unsafe) let frozen = frozen
  return frozen
}

@available(*, unavailable)
extension Realm: @unchecked Sendable {}
@available(*, unavailable)
extension ObjectBase: @unchecked Sendable {}
@available(*, unavailable)
extension List: @unchecked Sendable {}
@available(*, unavailable)
extension MutableSet: @unchecked Sendable {}
@available(*, unavailable)
extension Map: @unchecked Sendable {}
@available(*, unavailable)
extension Results: @unchecked Sendable {}
@available(*, unavailable)
extension LinkingObjects: @unchecked Sendable {}
@available(*, unavailable)
extension AnyRealmCollection: @unchecked Sendable {}
@available(*, unavailable)
extension SectionedResults: @unchecked Sendable {}
@available(*, unavailable)
extension ResultsSection: @unchecked Sendable {}
@available(*, unavailable)
extension Projection: @unchecked Sendable {}
@available(*, unavailable)
extension ProjectedCollection: @unchecked Sendable {}
@available(*, unavailable)
extension AnyRealmValue: @unchecked Sendable {}

// Descriptions of classes never change.
extension Schema: @unchecked Sendable {}
extension ObjectSchema: @unchecked Sendable {}
extension Property: @unchecked Sendable {}
