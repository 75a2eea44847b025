import Storage

/// One step into the lists and dictionaries of a mixed value, to a list or dictionary in them.
///
/// The way to a nested collection is an array of steps, so that nothing that follows it, copies it or lets go of it is
/// deeper for a deeper value.
enum CollectionStep: Hashable, Sendable {
  case position(Int)
  case key(String)
}

extension MixedView {
  /// What a way leads to; nil when there is nothing.
  func following(_ steps: [CollectionStep]) -> MixedView? {
    var view = self
    for step in steps {
      guard let position = view.position(of: step), let element = view.element(at: position) else {
        return nil
      }
      view = element
    }
    return view
  }

  private func position(of step: CollectionStep) -> Int? {
    switch step {
    case .position(let position): return isList ? position : nil
    case .key(let key):
      guard isDictionary else { return nil }
      let found = position(ofKey: key)
      return found.isFound ? found.position : nil
    }
  }
}

extension StoredValue {
  /// Changes what a way leads to; nothing happens when there is nothing.
  mutating func change(at steps: [CollectionStep], _ change: (inout StoredValue) -> Void) {
    // The values along the way, each with the place of the next one in it.
    var outer: [(value: StoredValue, position: Int)] = []
    var value = self
    for step in steps {
      guard let (position, element) = value.element(at: step) else { return }
      outer.append((value, position))
      value = element
    }
    change(&value)
    for (container, position) in outer.reversed() { value = container.replacing(position, by: value) }
    self = value
  }

  private func element(at step: CollectionStep) -> (position: Int, value: StoredValue)? {
    switch (step, self) {
    case (.position(let position), .list(let elements)):
      return elements.indices.contains(position) ? (position, elements[position]) : nil
    case (.key(let key), .dictionary(let entries)):
      return entries.firstIndex { $0.key == key }.map { ($0, entries[$0].value) }
    default: return nil
    }
  }

  private func replacing(_ position: Int, by value: StoredValue) -> StoredValue {
    switch self {
    case .list(var elements):
      elements[position] = value
      return .list(elements)
    case .dictionary(var entries):
      entries[position].value = value
      return .dictionary(entries)
    default: return self
    }
  }
}
