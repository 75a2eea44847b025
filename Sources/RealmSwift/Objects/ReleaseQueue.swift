import Storage
import SwiftRuntime
import Synchronization

/// Lets go of objects in memory, and of all that only they hold, one after the other: Swift by itself releases what an
/// object holds within the release of the object, for which a long chain needs a deep stack.
///
/// An object that is freed hands over what it holds; the first of a thread lets go of all that, until nothing more comes.
final class ReleaseQueue {
  private var references: [AnyObject] = []
  private var isReleasing = false

  // MARK: What holds others

  /// Takes what an object in memory holds, which is about to be freed.
  static func takeReferences(of object: ObjectBase) {
    let holders = PropertyHolders.of(type(of: object))
    if holders.all.isEmpty { return }
    let base = Unmanaged.passUnretained(object).toOpaque()
    var queue: ReleaseQueue?
    for holder in holders.all {
      guard let reference = holder.type.takeReference(at: base + holder.offset) else { continue }
      let known = queue ?? current
      known.references.append(reference)
      queue = known
    }
    queue?.releaseAll()
  }

  /// Takes the elements of a collection in memory, which is about to be freed.
  static func takeElements(_ elements: inout ContiguousArray<AnyRealmValue>) {
    let queue = current
    for value in elements {
      if let reference = value._rlmReference { queue.references.append(reference) }
    }
    elements = []
    queue.releaseAll()
  }

  private func releaseAll() {
    if isReleasing { return }
    isReleasing = true
    while !references.isEmpty { references.removeLast() }
    isReleasing = false
  }

  private static let queues = ThreadLocal { ReleaseQueue() }
  private static var current: ReleaseQueue { queues.value }
}

/// The properties of a class that can hold objects or collections. Nothing of the class's own is run to find them: its
/// objects are freed while its schema is made, too.
private final class PropertyHolders: Sendable {
  struct Holder: @unchecked Sendable {
    let type: any AnyPersisted.Type
    let offset: Int
  }

  let all: [Holder]

  private init(_ all: [Holder]) { self.all = all }

  private static let known = Mutex<[ObjectIdentifier: PropertyHolders]>([:])
  private static let none = PropertyHolders([])

  static func of(_ type: ObjectBase.Type) -> PropertyHolders {
    if let holders = known.withLock({ $0[ObjectIdentifier(type)] }) { return holders }
    let holders = PropertyHolders.found(type)
    known.withLock { $0[ObjectIdentifier(type)] = holders }
    return holders
  }

  private static func found(_ type: ObjectBase.Type) -> PropertyHolders {
    if !DeinitOrder.superclassesComeFirst { return none }
    let places = StoredField.places(in: type) ?? []
    return PropertyHolders(
      places.compactMap { place in
        guard let persisted = place.type as? any AnyPersisted.Type, persisted.mayHoldReferences else {
          return nil
        }
        return Holder(type: persisted, offset: place.offset)
      })
  }
}
