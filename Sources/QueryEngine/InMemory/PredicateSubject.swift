package import Storage

/// What a predicate is evaluated on without a database: an element of an unmanaged collection, and everything
/// that paths find from there.
package enum PredicateSubject {
  case value(Value)
  case object(any PredicateObject)
  case elements([PredicateSubject])
  /// The content of a map.
  case entries([(key: String, value: PredicateSubject)])
}
