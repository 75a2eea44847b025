public import Dispatch
public import Foundation

/// One property of each object of a list or set. A live collection.
///
/// Projections create it from key paths such as `\Trail.huts.projectTo.name`.
public struct ProjectedCollection<Element: RealmCollectionValue>: RandomAccessCollection,
  CustomStringConvertible, ThreadConfined
{
  let mapped: any MappedElements<Element>

  init(_ mapped: any MappedElements<Element>) { self.mapped = mapped }

  /// The realm that manages the collection; nil for an unmanaged collection.
  public var realm: Realm? { mapped.realm }
  /// Whether the collection can no longer be used, because its object was deleted or its realm invalidated.
  public var isInvalidated: Bool { mapped.isInvalidated }
  /// Whether the collection belongs to a frozen realm and never changes.
  public var isFrozen: Bool { mapped.isFrozen }

  /// The number of elements.
  public var count: Int { mapped.count }
  /// The position of the first element, which is always 0.
  public var startIndex: Int { 0 }
  /// The position after the last element: the number of elements.
  public var endIndex: Int { mapped.count }
  /// Returns the next position.
  public func index(after index: Int) -> Int { index + 1 }
  /// Returns the previous position.
  public func index(before index: Int) -> Int { index - 1 }

  /// The property of the object at a position. Setting it changes that object, which requires a write
  /// transaction if it is managed.
  ///
  /// Stops the program if the position is out of bounds, or if the property cannot be set.
  public subscript(position: Int) -> Element {
    get { mapped.element(at: position) }
    nonmutating set { mapped.setElement(at: position, newValue) }
  }

  /// Returns an iterator over the elements that the collection has now.
  public func makeIterator() -> AnyIterator<Element> { mapped.makeIterator() }

  /// Returns the position of the first object whose property is equal to `object`, or nil.
  public func index(of object: Element) -> Int? { mapped.index(of: object) }

  /// Returns the position of the first object that satisfies a predicate, among the objects with this
  /// property.
  public func index(matching predicate: NSPredicate) -> Int? { mapped.index(matching: predicate) }

  /// Calls a block with the collection soon, and then after each transaction that changes it, as for other
  /// collections.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the objects, which can follow links, whose changes are modifications;
  ///     nil for the projected property.
  ///   - queue: A serial queue on which the block is called, with the collection of the realm of that queue.
  ///   - block: A block that is called with each change.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    mapped.observe(keyPaths: keyPaths, on: queue) { block($0) }
  }

  /// The elements, each with its position.
  public var description: String {
    let lines = (0..<count).map { "\t[\($0)] \(mapped.elementOrStored(at: $0))\n" }
    return "ProjectedCollection<\(Element.self)> {\n\(lines.joined())}"
  }
}

/// The elements of a projected collection, whose objects' class is hidden.
protocol MappedElements<Element>: AnyObject {
  associatedtype Element: RealmCollectionValue
  var realm: Realm? { get }
  var isInvalidated: Bool { get }
  var isFrozen: Bool { get }
  var count: Int { get }
  func element(at position: Int) -> Element
  /// Returns the element or, when there is no element for what is stored, the stored value.
  func elementOrStored(at position: Int) -> Any
  func setElement(at position: Int, _ element: Element)
  func makeIterator() -> AnyIterator<Element>
  func index(of element: Element) -> Int?
  func freeze() -> any MappedElements<Element>
  func thaw() -> (any MappedElements<Element>)?
  var relocation: _Relocation { get }
  /// Projects a collection of the same type, which a relocation has found.
  var rebuild: (Any) -> (any MappedElements<Element>)? { get }
  func index(matching predicate: NSPredicate) -> Int?
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken
}

/// A property of the objects of a collection.
final class ProjectedElements<Source: ObjectBase & RealmCollectionValue, Element: RealmCollectionValue>:
  MappedElements
{
  private let source: AnyRealmCollection<Source>
  private let keyPath: KeyPath<Source, Element>

  init(_ source: AnyRealmCollection<Source>, _ keyPath: KeyPath<Source, Element>) {
    self.source = source
    self.keyPath = keyPath
  }

  var realm: Realm? { source.realm }
  var isInvalidated: Bool { source.isInvalidated }
  var isFrozen: Bool { source.isFrozen }
  var count: Int { source.count }
  func element(at position: Int) -> Element { source[position][keyPath: keyPath] }

  func elementOrStored(at position: Int) -> Any {
    let object = source[position]
    return object.unconvertedValue(atPaths: KeyPathRecorder.paths(of: keyPath, from: Source.self))
      ?? object[keyPath: keyPath]
  }

  func setElement(at position: Int, _ element: Element) {
    guard let writable = keyPath as? WritableKeyPath<Source, Element> else {
      preconditionFailure("KeyPath is not writable")
    }
    var object = source[position]
    object[keyPath: writable] = element
  }

  func makeIterator() -> AnyIterator<Element> {
    var objects = source.makeIterator()
    return AnyIterator { [keyPath] in objects.next().map { $0[keyPath: keyPath] } }
  }

  func freeze() -> any MappedElements<Element> { ProjectedElements(source.freeze(), keyPath) }
  func thaw() -> (any MappedElements<Element>)? {
    source.thaw().map { ProjectedElements($0, keyPath) }
  }
  var relocation: _Relocation { source._rlmRelocation }
  var rebuild: (Any) -> (any MappedElements<Element>)? {
    { [keyPath] found in (found as? AnyRealmCollection<Source>).map { ProjectedElements($0, keyPath) } }
  }

  func index(of element: Element) -> Int? {
    for (position, object) in source.enumerated() where object[keyPath: keyPath] == element {
      return position
    }
    return nil
  }

  func index(matching predicate: NSPredicate) -> Int? { source.index(matching: predicate) }

  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken {
    let keyPath = keyPath
    let keyPaths = keyPaths ?? KeyPathRecorder.paths(of: keyPath, from: Source.self)
    return source.observe(keyPaths: keyPaths, on: queue) { change in
      switch change {
      case .initial(let source): block(.initial(ProjectedCollection(ProjectedElements(source, keyPath))))
      case .update(let source, let deletions, let insertions, let modifications):
        block(
          .update(
            ProjectedCollection(ProjectedElements(source, keyPath)), deletions: deletions,
            insertions: insertions, modifications: modifications))
      case .error(let error): block(.error(error))
      }
    }
  }
}
