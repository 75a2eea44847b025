import Foundation
import Storage
import Synchronization

/// A stored value that its property's Swift type has no value for: an enum's raw value that is no case, or what a failable
/// custom type refuses.
///
/// Such values are the normal state after a property was added that is no optional. Copies of objects and collections pass
/// this on in place of a value, so that the copy has what is stored.
struct UnconvertedValue: @unchecked Sendable {
  /// The value as key-value coding has it: a scalar or, of a type that is stored as one, an embedded object, which is only
  /// used where it belongs.
  let stored: Any

  init(_ stored: Any) { self.stored = stored }

  static func exact(_ value: Any) -> UnconvertedValue? {
    type(of: value) == UnconvertedValue.self ? (value as! UnconvertedValue) : nil
  }

  /// The stored form of a scalar of a type; nil when it is none.
  func scalar(_ kind: _PropertyKind) -> StoredValue? { Coercion.scalar(stored, kind.type) }

  /// An array or dictionary of the elements of a managed collection, which are to be stored as they are.
  static func elements(of value: Any) -> Any {
    if let entries = Enumeration.entries(value) {
      return Dictionary(entries.map { ($0.key, UnconvertedValue($0.value) as Any) }) { first, _ in first }
    }
    return Enumeration.elements(value)?.map { UnconvertedValue($0) as Any } ?? value
  }

  // MARK: Objects in memory

  // The wrapper of a property that has such a value has no value, and a number below half the lowest as its column: the
  // lowest number plus the place of the wrapper in the object.

  private static let kept = Mutex<[ObjectIdentifier: [Int32: UnconvertedValue]]>([:])
  /// Whether any was ever kept: most programs never have one.
  private static let isUsed = Atomic(false)

  /// Whether the number that a property without a value has as its column stands for such a value.
  static func isMark(_ column: Int32) -> Bool { column < .min / 2 }

  /// Keeps the value of a property of an object in memory. Returns what the property gets as its column.
  func keep(in object: ObjectBase, offset: Int) -> Int32 {
    Self.isUsed.store(true, ordering: .relaxed)
    let mark = Int32.min + Int32(offset)
    let former = Self.kept.withLock {
      $0[ObjectIdentifier(object), default: [:]].updateValue(self, forKey: mark)
    }
    // Not released while the lock is held: see `forget`.
    withExtendedLifetime(former) {}
    return mark
  }

  /// The value of a property that has no other value.
  static func kept(in object: ObjectBase, _ column: Int32) -> UnconvertedValue? {
    if !isMark(column) { return nil }
    return kept.withLock { $0[ObjectIdentifier(object)]?[column] }
  }

  /// Takes the value of a property of an object that becomes managed.
  @inline(__always)
  static func take(from object: ObjectBase, _ column: Int32) -> UnconvertedValue? {
    if !isMark(column) { return nil }
    return kept.withLock { kept in
      let value = kept[ObjectIdentifier(object)]?.removeValue(forKey: column)
      if kept[ObjectIdentifier(object)]?.isEmpty == true {
        kept.removeValue(forKey: ObjectIdentifier(object))
      }
      return value
    }
  }

  /// Forgets the values of an object in memory that is being freed.
  @inline(__always)
  static func forget(_ object: ObjectBase) {
    if !isUsed.load(ordering: .relaxed) { return }
    let removed = kept.withLock { $0.removeValue(forKey: ObjectIdentifier(object)) }
    // Objects in the values forget theirs, which takes the lock again. The optimiser would release them while it is held.
    withExtendedLifetime(removed) {}
  }
}

extension _Persistable {
  /// The value of a property in memory that has only a stored one. Stops the program where the type has none for it.
  static func converted(_ unconverted: UnconvertedValue) -> Self {
    if let value = _rlmCoerce(unconverted) { return value }
    failConversion(of: unconverted.stored)
  }

  static func failConversion(of stored: Any) -> Never {
    trap("Failed to convert persisted value '\(stored)' to type '\(Self.self)' in a non-optional context.")
  }
}

extension ObjectBase {
  /// What is stored for the first property that some paths lead to and that its type has no value for; nil when all have one.
  ///
  /// - Parameter stopping: Whether only properties count that stop the program when they are read, as optional ones do not.
  func unconvertedValue(atPaths paths: [String], stopping: Bool = false) -> Any? {
    for path in paths {
      var object = self
      for name in path.split(separator: ".") {
        guard let property = object.classSchema.property(named: String(name)) else { break }
        if let stored = property.unconverted(object), !stopping || !property.kind.isOptional { return stored }
        guard property.kind.type == .object, property.kind.collection == .none,
          let next = property.dynamicValue(object).flatMap({ Coercion.object($0) })
        else { break }
        object = next
      }
    }
    return nil
  }
}
