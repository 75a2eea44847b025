import Storage

/// One step into the lists and dictionaries of a mixed value, to a list or dictionary in them. Its identity stays when its
/// position changes.
enum CollectionStep: Hashable, Sendable {
  case element(identity: UInt64)
  case entry(key: String, identity: UInt64)
}

/// The way to a list or dictionary inside a mixed value: an array of steps, so that nothing that follows it, copies it or
/// releases it is deeper for a deeper value.
struct NestedPath: Hashable, Sendable {
  /// The identity of the whole value, which is a list or dictionary.
  let outermost: UInt64
  private(set) var steps: [CollectionStep] = []

  /// The way to a whole value.
  ///
  /// - Parameter position: Where it is in the list that it is an element of; 0 where it is in none.
  init(_ value: MixedView?, at position: Int = 0) {
    outermost = value?.identity(at: position) ?? 0
  }

  func adding(_ step: CollectionStep) -> NestedPath {
    var path = self
    path.steps.append(step)
    return path
  }
}

extension MixedView {
  /// What steps lead to; nil when there is nothing.
  func following(_ steps: [CollectionStep]) -> MixedView? {
    var view = self
    for step in steps {
      guard let next = view.following(step) else { return nil }
      view = next
    }
    return view
  }

  /// Where this value is, and all that steps lead to, the last one being their end; nil when there is nothing.
  func ranges(of steps: [CollectionStep]) -> [Range<Int>]? {
    var views = [self]
    for step in steps {
      guard let next = views[views.count - 1].following(step) else { return nil }
      views.append(next)
    }
    return views.compactMap { $0.range(in: self) }
  }

  private func following(_ step: CollectionStep) -> MixedView? {
    switch step {
    case .element(let identity): return isList ? position(ofElement: identity)?.element : nil
    case .entry(let key, let identity):
      guard isDictionary else { return nil }
      let found = position(ofKey: key)
      guard found.isFound, let value = element(at: found.position), value.identity(at: 0) == identity else {
        return nil
      }
      return value
    }
  }
}
