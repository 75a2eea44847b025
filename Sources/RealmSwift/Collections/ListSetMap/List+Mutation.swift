public import Foundation
import Storage

extension List {
  /// Appends an element. An unmanaged object is added to the realm of the list.
  ///
  /// ```swift
  /// try realm.write { trail.huts.append(hut) }
  /// ```
  public func append(_ object: Element) {
    if let stored {
      return stored._withUnsafeGuaranteedRef {
        $0.checkWrite()
        $0.table.appendElement($0.column, $0.row, $0.storedValue(object))
      }
    }
    guard let backing else { return unmanaged.append(object) }
    backing.checkWrite()
    let value = backing.storedValue(object)
    backing.insert(value, at: backing.count)
  }

  /// Appends the elements of a sequence.
  @inlinable public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    // Inlined into the program, where the types are known. Lists are walked as they were before.
    _checkChange()
    for object in objects { append(object) }
  }

  @usableFromInline func _checkChange() { backing?.checkWrite() }

  /// Appends the elements of a sequence.
  @inlinable public func append<S: Sequence>(contentsOf objects: S) where S.Element == Element {
    append(objectsIn: objects)
  }

  /// Inserts an element at a position.
  public func insert(_ object: Element, at index: Int) {
    guard let backing else {
      index.checkPosition(below: unmanaged.count + 1)
      return unmanaged.insert(object, at: index)
    }
    backing.checkWrite()
    index.checkPosition(below: backing.count + 1)
    let value = backing.storedValue(object)
    backing.insert(value, at: index)
  }

  /// Inserts elements; the first of them gets the given position.
  public func insert<C: Swift.Collection>(contentsOf newElements: C, at index: Int)
  where C.Element == Element {
    guard let backing else {
      index.checkPosition(below: unmanaged.count + 1)
      return unmanaged.insert(contentsOf: ContiguousArray(newElements), at: index)
    }
    backing.checkWrite()
    index.checkPosition(below: backing.count + 1)
    let values = backing.storedValues(newElements)
    backing.insert(values, at: index)
  }

  /// Removes the element at a position.
  public func remove(at index: Int) {
    guard let backing else {
      index.checkPosition(below: unmanaged.count)
      unmanaged.remove(at: index)
      return
    }
    backing.checkWrite()
    index.checkPosition(below: backing.count)
    backing.remove(index..<index + 1)
  }

  /// Removes all elements. Objects stay in the realm; embedded objects are deleted.
  public func removeAll() {
    guard let backing else { return unmanaged.removeAll() }
    backing.checkWrite()
    backing.remove(0..<backing.count)
  }

  /// Removes a number of elements from the beginning.
  public func removeFirst(_ number: Int = 1) {
    checkRemoval(of: number)
    removeRange(0..<number)
  }

  /// Removes a number of elements from the end.
  public func removeLast(_ number: Int = 1) {
    checkRemoval(of: number)
    let count = count
    removeRange(count - number..<count)
  }

  private func checkRemoval(of number: Int) {
    backing?.checkWrite()
    let count = count
    if number < 0 { trap("Cannot pass a negative value for 'index'.") }
    if number > count {
      trap(
        "It is not possible to remove more objects (\(number)) from a list than it already contains (\(count))."
      )
    }
  }

  /// Removes the elements of a range.
  public func removeSubrange<R: RangeExpression>(_ boundsExpression: R) where R.Bound == Int {
    removeRange(boundsExpression.relative(to: self))
  }

  private func removeRange(_ range: Range<Int>) {
    guard let backing else {
      checkRange(range, count: unmanaged.count)
      return unmanaged.removeSubrange(range)
    }
    backing.checkWrite()
    checkRange(range, count: backing.count)
    backing.remove(range)
  }

  private func checkRange(_ range: Range<Int>, count: Int) {
    range.lowerBound.checkPosition(below: count + 1)
    if range.upperBound > count {
      trap("Index \(range.upperBound - 1) is out of bounds (must be less than \(count)).")
    }
  }

  /// Replaces the elements of a range.
  public func replaceSubrange<C: Swift.Collection, R: RangeExpression>(
    _ subrange: R, with newElements: C
  ) where C.Element == Element, R.Bound == Int {
    let range = subrange.relative(to: self)
    guard let backing else {
      checkRange(range, count: unmanaged.count)
      return unmanaged.replaceSubrange(range, with: ContiguousArray(newElements))
    }
    backing.checkWrite()
    checkRange(range, count: backing.count)
    let values = backing.storedValues(newElements)
    backing.realm.writer.deletingTogether {
      backing.remove(range)
      backing.insert(values, at: range.lowerBound)
    }
  }

  /// Replaces the element at a position.
  public func replace(index: Int, object: Element) {
    guard let backing else {
      index.checkPosition(below: unmanaged.count)
      unmanaged[index] = object
      return
    }
    backing.checkWrite()
    index.checkPosition(below: backing.count)
    if !backing.holds(object, at: index) { backing.replace(at: index, backing.storedValue(object)) }
  }

  /// Moves an element from one position to another.
  public func move(from: Int, to: Int) {
    guard let backing else {
      from.checkPosition(below: unmanaged.count)
      to.checkPosition(below: unmanaged.count)
      return unmanaged.insert(unmanaged.remove(at: from), at: to)
    }
    backing.checkWrite()
    from.checkPosition(below: backing.count)
    to.checkPosition(below: backing.count)
    if from != to { backing.move(from: from, to: to) }
  }

  /// Swaps two elements.
  public func swapAt(_ index1: Int, _ index2: Int) {
    backing?.checkWrite()
    let count = count
    index1.checkPosition(below: count, name: "index1")
    index2.checkPosition(below: count, name: "index2")
    if index1 == index2 { return }
    guard let backing else { return unmanaged.swapAt(index1, index2) }
    backing.swap(index1, index2)
  }

  /// Removes the elements at the given positions.
  public func remove(atOffsets offsets: IndexSet) {
    for range in offsets.rangeView.reversed() { removeRange(range) }
  }

  /// Moves the elements at the given positions in front of the element that is at `destination` before the
  /// move, as `Array.move(fromOffsets:toOffset:)` does.
  ///
  /// The elements keep their order: moving the first two of four elements to offset 4 puts them last.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    backing?.checkWrite()
    let count = count
    offsets.last?.checkPosition(below: count)
    destination.checkPosition(below: count + 1)
    // Each move leaves the elements that are still to be moved where they are.
    for (distance, offset) in offsets.filter({ $0 < destination }).reversed().enumerated() {
      move(from: offset, to: destination - 1 - distance)
    }
    for (distance, offset) in offsets.filter({ $0 >= destination }).enumerated() {
      move(from: offset, to: destination + distance)
    }
  }
}

extension List: MutableCollection {
  /// A part of the list, with the positions of the list.
  public typealias SubSequence = Slice<List>

  /// The elements of a range; setting it replaces them.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: ContiguousArray(newValue)) }
  }
}
