import CSwiftRuntime
import Foundation
import QueryEngine
import Storage
import Synchronization

/// Finds the property names that a Swift key path reads, by reading them from an object that takes notes.
///
/// Swift itself does not tell the names of wrapped properties. A recorder is an ordinary object of the class whose
/// wrappers hold numbers below -1 as columns: -2 for the first property, and so on.
enum KeyPathRecorder {
  /// A property that was read.
  private struct Step {
    let property: ClassProperty
    let owner: ObjectBase.Type
  }

  /// What a key path reads.
  struct Reading {
    let components: [PropertyPath.Component]
    /// The property that it reads last.
    let property: ClassProperty?
  }

  private struct State {
    var recorders = NumberTable<ObjectBase>()
    /// By the hash values of the key paths.
    var known = NumberTable<[(keyPath: AnyKeyPath, properties: [ClassProperty])]>()
  }

  // Key paths are values and recorders are only used under the lock.
  private static nonisolated(unsafe) var state = State()
  private static nonisolated(unsafe) var steps: [Step] = []
  private static let lock = NSRecursiveLock()
  /// The thread that records, or 0.
  private static let recordingThread = Atomic<UInt>(0)

  /// The dotted path of property names that a key path reads; empty when it reads none.
  static func name(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> String {
    dotted(properties(of: keyPath) { recorder(of: root) })
  }

  /// Returns the name that a key path reads from a value that `root` makes of a recorder.
  static func name<Root: AnyObject>(of keyPath: AnyKeyPath, from root: () -> Root) -> String {
    dotted(properties(of: keyPath, from: root))
  }

  private static func properties<Root: AnyObject>(
    of keyPath: AnyKeyPath, from root: () -> Root
  ) -> [ClassProperty] {
    lock.lock()
    defer { lock.unlock() }
    let hash = keyPath.hashValue
    if let known = state.known[hash]?.first(where: { $0.keyPath == keyPath }) { return known.properties }
    let root = root()
    let properties = record { _ = root[keyPath: keyPath] }.map(\.property)
    state.known[hash, default: []].append((keyPath, properties))
    return properties
  }

  /// Piece by piece: what collections offer takes a process long when it asks for it first (see `NumberTable`).
  private static func dotted(_ properties: [ClassProperty]) -> String {
    var path = properties.first?.name ?? ""
    for property in properties.dropFirst() { path += ".\(property.name)" }
    return path
  }

  /// What queries were made of, by the identities of the key paths: a program has one for each place in its text, which is
  /// found without comparing what it reads.
  private struct Seen: @unchecked Sendable {
    static let limit = 4096
    // Kept, so that no other one gets its identity.
    let keyPath: AnyKeyPath
    let reading: Reading
  }

  private static let seen = Mutex(NumberTable<Seen>())

  /// The properties that a key path reads.
  static func reading(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> Reading {
    let identity = ObjectIdentifier(keyPath)
    if let known = seen.withLock({ $0[identity] }) { return known.reading }
    let properties = properties(of: keyPath) { recorder(of: root) }
    let reading = Reading(
      components: properties.map { .property($0.name) }, property: properties.last)
    let new = Seen(keyPath: keyPath, reading: reading)
    seen.withLock {
      // Key paths that the program creates at each use would fill it.
      if $0.count == Seen.limit { $0 = NumberTable() }
      $0[identity] = new
    }
    return reading
  }

  /// The dotted paths of property names that a key path reads: several when it leads to what is computed from
  /// several properties.
  static func paths(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [String] {
    var paths: [[Step]] = []
    for step in record({ _ = recorder(of: root)[keyPath: keyPath] }) {
      if let target = paths.last?.last?.property.kind.objectType, target == step.owner {
        paths[paths.count - 1].append(step)
      } else {
        paths.append([step])
      }
    }
    return paths.map { dotted($0.map(\.property)) }
  }

  /// The properties that are read by a body that uses recorders.
  private static func record(_ body: () -> Void) -> [Step] {
    lock.lock()
    let outer = (steps, recordingThread.load(ordering: .relaxed))
    recordingThread.store(currentThread(), ordering: .relaxed)
    steps = []
    defer {
      steps = outer.0
      recordingThread.store(outer.1, ordering: .relaxed)
      lock.unlock()
    }
    body()
    return steps
  }

  /// Stands for an element of a recorder's collection; nil unless this thread is recording.
  static func element<Element>(_: Element.Type) -> Element? {
    guard recordingThread.load(ordering: .relaxed) == currentThread() else { return nil }
    return (Element.self as? any _Persistable.Type)?._rlmRecorder() as? Element
  }

  /// An object of a class that takes notes of the properties read.
  static func recorder(of type: ObjectBase.Type) -> ObjectBase {
    lock.lock()
    defer { lock.unlock() }
    if let known = state.recorders[ObjectIdentifier(type)] { return known }
    let schema = ClassSchema.of(type)
    let object = type.init()
    let base = Unmanaged.passUnretained(object).toOpaque()
    for (index, property) in (schema.properties + schema.computedProperties).enumerated() {
      property.bind(base, -2 - index)
      property.reset(base)
    }
    state.recorders[ObjectIdentifier(type)] = object
    return object
  }

  /// Notes that a property of a recorder was read.
  static func note(_ object: ObjectBase, column: Int32) {
    let schema = ClassSchema.of(type(of: object))
    let property = (schema.properties + schema.computedProperties)[Int(-2 - column)]
    steps.append(Step(property: property, owner: type(of: object)))
  }
}

/// The dotted name of the properties that a key path reads.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  KeyPathRecorder.name(of: keyPath, from: T.self)
}
