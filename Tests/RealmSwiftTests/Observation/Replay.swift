@testable import RealmSwift

/// One observed collection with its replayed contents: they start from what is observed first, and every change is
/// applied to them.
final class Replay {
  /// What there is to read of a collection as it is now.
  struct Source {
    var count: () -> Int
    /// The contents at some positions.
    var contents: ([Int]) -> [String]
  }

  let name: String
  private let source: Source
  private(set) var copy: [String] = []
  private(set) var isStarted = false
  private(set) var updates = 0
  /// What was wrong, in words.
  private(set) var faults: [String] = []
  var token: NotificationToken?

  init(_ name: String, _ source: Source) {
    self.name = name
    self.source = source
  }

  private var current: [String] { source.contents(Array(0..<source.count())) }

  /// Applies a change; nil is the first one, with everything.
  func receive(_ update: (deletions: [Int], insertions: [Int], modifications: [Int])?) {
    guard let update else {
      copy = current
      isStarted = true
      return
    }
    updates += 1
    if !Set(update.deletions).isDisjoint(with: update.modifications) {
      faults.append("\(name): deleted and modified, \(update)")
    }
    // What is to be read again is nil.
    var kept: [String?] = copy
    for position in update.modifications { kept[position] = nil }
    for position in update.deletions.reversed() { kept.remove(at: position) }
    for position in update.insertions {
      guard position <= kept.count else { return faults.append("\(name): \(kept.count) elements, \(update)") }
      kept.insert(nil, at: position)
    }
    guard kept.count == source.count() else {
      return faults.append("\(name): \(kept.count) elements, not \(source.count()), after \(update)")
    }
    let unknown = kept.indices.filter { kept[$0] == nil }
    for (position, content) in zip(unknown, source.contents(unknown)) { kept[position] = content }
    copy = kept.map { $0! }
  }

  /// Compares with the collection as it is now.
  func check() {
    let now = current
    if copy == now { return }
    let place = zip(copy, now).enumerated().first { $0.element.0 != $0.element.1 }
    faults.append(
      "\(name) differs: \(copy.count) and \(now.count) elements, \(String(describing: place))")
  }
}

// MARK: Observing

extension Replay {
  static func observe<C: RealmCollection>(
    _ name: String, _ collection: C, keyPaths: [String]? = nil, _ content: @escaping (C.Element) -> String
  ) -> Replay {
    let source = Source {
      collection.isInvalidated ? 0 : collection.count
    } contents: { positions in
      positions.map { content(collection[$0]) }
    }
    let replay = Replay(name, source)
    replay.token = collection.observe(keyPaths: keyPaths) { [unowned replay] change in
      switch change {
      case .initial: replay.receive(nil)
      case .update(_, let deletions, let insertions, let modifications):
        replay.receive((deletions, insertions, modifications))
      case .error: replay.faults.append("\(name): error")
      }
    }
    return replay
  }

  private final class Keys<Key> {
    var keys: [Key] = []
  }

  static func observe<Key: _MapKey, Value>(
    _ name: String, _ map: Map<Key, Value>, keyPaths: [String]? = nil,
    _ content: @escaping (Value) -> String
  ) -> Replay {
    let keys = Keys<Key>()
    let source = Source {
      map.isInvalidated ? 0 : map.count
    } contents: { positions in
      if positions.isEmpty { return [] }
      let values = map.values
      return positions.map { content(values[$0]) }
    }
    let replay = Replay(name, source)
    replay.token = map.observe(keyPaths: keyPaths) { [unowned replay] change in
      switch change {
      case .initial(let map):
        keys.keys = map.keys
        replay.receive(nil)
      case .update(let map, let deletions, let insertions, let modifications):
        let old = keys.keys
        keys.keys = map.isInvalidated ? [] : map.keys
        replay.receive(
          (
            deletions.compactMap { old.firstIndex(of: $0) },
            insertions.compactMap { keys.keys.firstIndex(of: $0) },
            modifications.compactMap { old.firstIndex(of: $0) }
          ))
      case .error: replay.faults.append("\(name): error")
      }
    }
    return replay
  }

  /// A function of objects that is not asked again for the same object as long as nothing changes: most of what is
  /// observed shows the same objects.
  static func remembering<T: Object>(
    _ realm: Realm, _ content: @escaping (T) -> String
  ) -> (T) -> String {
    var stamp = -1
    var contents: [Int: String] = [:]
    return { object in
      if stamp != realm.core.snapshot.contentStamp {
        stamp = realm.core.snapshot.contentStamp
        contents.removeAll(keepingCapacity: true)
      }
      if let known = contents[object._row] { return known }
      let made = content(object)
      contents[object._row] = made
      return made
    }
  }
}
