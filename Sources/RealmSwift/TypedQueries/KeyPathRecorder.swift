import CSwiftRuntime
import Foundation
import QueryEngine
import Synchronization

/// Finds the property names that a Swift key path reads, by reading them from an object that takes notes.
///
/// Swift itself does not tell the names of wrapped properties. A recorder is an ordinary object of the class whose
/// wrappers hold numbers below -1 as columns: -2 for the first property, and so on.
enum KeyPathRecorder {
  /// A property that was read.
  private struct Step {
    let name: String
    let owner: ObjectBase.Type
    /// The class that it leads to.
    let target: ObjectBase.Type?
  }

  private struct State {
    var recorders: [ObjectIdentifier: ObjectBase] = [:]
    var names: [AnyKeyPath: String] = [:]
  }

  // Key paths are values and recorders are only used under the lock.
  private static nonisolated(unsafe) var state = State()
  private static nonisolated(unsafe) var steps: [Step] = []
  private static let lock = NSRecursiveLock()
  /// The thread that records, or 0.
  private static let recordingThread = Atomic<UInt>(0)

  /// The dotted path of property names that a key path reads; empty when it reads none.
  static func name(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> String {
    name(of: keyPath) { recorder(of: root) }
  }

  /// The same for a key path of something that reads a recorder, which `root` makes.
  static func name<Root: AnyObject>(of keyPath: AnyKeyPath, from root: () -> Root) -> String {
    lock.lock()
    defer { lock.unlock() }
    if let known = state.names[keyPath] { return known }
    let root = root()
    let name = record { _ = root[keyPath: keyPath] }.map(\.name).joined(separator: ".")
    state.names[keyPath] = name
    return name
  }

  /// What queries were made of, by the identities of the key paths: a program has one for each place in its text, which is
  /// found without comparing what it reads.
  private struct Seen: @unchecked Sendable {
    static let limit = 4096
    // Kept, so that no other one gets its identity.
    let keyPath: AnyKeyPath
    let properties: Properties
  }

  /// The properties that a key path reads, and whether the last one is a collection.
  struct Properties {
    let components: [PropertyPath.Component]
    let endsAtCollection: Bool
  }

  private static let seen = Mutex<[ObjectIdentifier: Seen]>([:])

  /// The properties that a key path reads.
  ///
  /// - Parameter endsAtCollection: Whether its value is a collection; only asked for a key path that was not seen before.
  static func properties(
    of keyPath: AnyKeyPath, from root: ObjectBase.Type, endsAtCollection: @autoclosure () -> Bool
  ) -> Properties {
    let identity = ObjectIdentifier(keyPath)
    if let known = seen.withLock({ $0[identity]?.properties }) { return known }
    let components = name(of: keyPath, from: root).split(separator: ".").map {
      PropertyPath.Component.property(String($0))
    }
    let properties = Properties(components: components, endsAtCollection: endsAtCollection())
    let new = Seen(keyPath: keyPath, properties: properties)
    seen.withLock {
      // Key paths that are made anew each time would fill it.
      if $0.count == Seen.limit { $0 = [:] }
      $0[identity] = new
    }
    return properties
  }

  /// The dotted paths of property names that a key path reads: several when it leads to what is computed from
  /// several properties.
  static func paths(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [String] {
    var paths: [[Step]] = []
    for step in record({ _ = recorder(of: root)[keyPath: keyPath] }) {
      if let last = paths.last?.last, let target = last.target, target == step.owner {
        paths[paths.count - 1].append(step)
      } else {
        paths.append([step])
      }
    }
    return paths.map { $0.map(\.name).joined(separator: ".") }
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
    steps.append(Step(name: property.name, owner: type(of: object), target: property.kind.objectType))
  }
}

/// The dotted name of the properties that a key path reads.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  KeyPathRecorder.name(of: keyPath, from: T.self)
}
