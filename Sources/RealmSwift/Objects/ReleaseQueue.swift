import Storage
import SwiftRuntime
import Synchronization

/// Releases objects in memory, and everything that only they retain, one after the other: Swift releases the members of an
/// object within the release of the object, for which a long chain needs a deep stack.
///
/// An object that is freed hands its members over; the first call on a thread releases them until none is left.
final class ReleaseQueue {
  private var references: [AnyObject] = []
  private var isReleasing = false
  /// The class that was freed last, cached because finding its properties takes a lock.
  private var lastType: ObjectIdentifier?
  private var lastHolders: [ReferenceHolder] = []

  // MARK: What holds others

  /// Takes what an object in memory holds, which is about to be freed.
  static func takeReferences(of object: ObjectBase) {
    let queue = current
    let holders = queue.holders(of: type(of: object))
    if holders.isEmpty { return }
    let base = Unmanaged.passUnretained(object).toOpaque()
    for holder in holders {
      if let reference = holder.type.takeReference(at: base + holder.offset) {
        queue.references.append(reference)
      }
    }
    queue.releaseAll()
  }

  private func holders(of type: ObjectBase.Type) -> [ReferenceHolder] {
    if lastType != ObjectIdentifier(type) {
      lastHolders = ReferenceHolder.all(of: type)
      lastType = ObjectIdentifier(type)
    }
    return lastHolders
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
    if references.capacity > 1024 { references = [] }
    isReleasing = false
  }

  private static let queues = ThreadLocal { ReleaseQueue() }
  private static var current: ReleaseQueue { queues.value }
}

/// A property that can hold objects or collections.
struct ReferenceHolder: @unchecked Sendable {
  fileprivate let type: any AnyPersisted.Type
  fileprivate let offset: Int

  /// Nil for properties that cannot.
  init?(_ type: any AnyPersisted.Type, offset: Int) {
    guard type.mayHoldReferences else { return nil }
    self.type = type
    self.offset = offset
  }

  /// The holders of classes whose schema has not been needed yet. Nothing of the class's own is run to find them: its objects are
  /// freed while its schema is made, too.
  private static let known = Mutex(NumberTable<[ReferenceHolder]>())

  fileprivate static func all(of type: ObjectBase.Type) -> [ReferenceHolder] {
    if !DeinitOrder.superclassesComeFirst { return [] }
    if let schema = ClassSchema.ifKnown(type) { return schema.holders }
    if let holders = known.withLock({ $0[ObjectIdentifier(type)] }) { return holders }
    let holders = (StoredField.all(of: type) ?? []).compactMap { field in
      field.offset.flatMap { offset in field.persistedType.flatMap { ReferenceHolder($0, offset: offset) } }
    }
    known.withLock { $0[ObjectIdentifier(type)] = holders }
    return holders
  }
}
