import Foundation
import RealmSwift
import Testing

/// What every list does, for every type of values, in memory and in a realm.
struct ListTests {
  @Test(arguments: [false, true]) func integers(isManaged: Bool) {
    check(\.ints, [1, -5, 300, .max, .min], isManaged)
    check(\.bytes, [1, -5, 127, -128, 0], isManaged)
  }

  @Test(arguments: [false, true]) func numbers(isManaged: Bool) {
    check(\.bools, [true, false], isManaged)
    check(\.floats, [1.5, -.infinity, .greatestFiniteMagnitude, 0], isManaged)
    check(\.doubles, [1.5, .infinity, .leastNonzeroMagnitude, 0], isManaged)
    check(\.decimals, ["1.5", "-3e40", "0"], isManaged)
  }

  @Test(arguments: [false, true]) func textsAndData(isManaged: Bool) {
    check(\.strings, ["", "Wolfie", "Ünïcødé 🐕", String(repeating: "long ", count: 100), "a\0b"], isManaged)
    check(\.data, [Data(), Data([0, 255, 7]), Data(repeating: 9, count: 1000)], isManaged)
  }

  @Test(arguments: [false, true]) func datesAndIdentifiers(isManaged: Bool) {
    check(\.dates, [Date(timeIntervalSince1970: 0), .distantPast, .distantFuture], isManaged)
    check(\.objectIds, [ObjectId.generate(), ObjectId.generate(), ObjectId()], isManaged)
    check(\.uuids, [UUID(), UUID()], isManaged)
  }

  @Test(arguments: [false, true]) func mixedValues(isManaged: Bool) {
    check(\.mixed, [.none, .int(3), .string("x"), .bool(true), .double(2.5), .data(Data([1]))], isManaged)
  }

  @Test(arguments: [false, true]) func enums(isManaged: Bool) {
    check(\.moods, [.content, .hungry, .asleep], isManaged)
    check(\.optionalMoods, [.content, nil, .asleep], isManaged)
  }

  @Test(arguments: [false, true]) func optionals(isManaged: Bool) {
    check(\.optionalInts, [nil, 0, -7, 1 << 40], isManaged)
    check(\.optionalBools, [nil, true, false], isManaged)
    check(\.optionalStrings, ["", nil, "x"], isManaged)
    check(\.optionalDates, [nil, Date(timeIntervalSince1970: 1)], isManaged)
    check(\.optionalUUIDs, [UUID(), nil], isManaged)
  }

  /// Every method, against an array.
  private func check<Element: RealmCollectionValue>(
    _ keyPath: KeyPath<ValueLists, List<Element>>, _ values: [Element], _ isManaged: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let pair = ListAndArray(keyPath, isManaged, sourceLocation)
    pair.add(values)
    pair.rearrange(values[0], values[1])
    pair.remove(values[0], values[1])
    pair.takeOthers()
  }

  @Test(arguments: [false, true]) func movesOffsetsTogether(isManaged: Bool) {
    let owner = ValueLists()
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    _ = storage?.added(owner)
    func change(_ block: () -> Void) { if let storage { storage.write(block) } else { block() } }
    change {
      owner.ints.append(objectsIn: [1, 2, 3])
      owner.ints.move(fromOffsets: [0, 2], toOffset: 1)
    }
    #expect(Array(owner.ints) == [1, 3, 2])
    change { owner.ints.move(fromOffsets: [0], toOffset: 3) }
    #expect(Array(owner.ints) == [3, 2, 1])
  }

  @Test func assignmentKeepsTheInstance() {
    let storage = ScratchRealm.ofCollections()
    let owner = ValueLists()
    let list = owner.ints
    let other = List<Int>()
    other.append(objectsIn: [4, 5])
    owner.ints = other
    #expect(owner.ints === list)
    #expect(Array(list) == [4, 5])
    owner.ints = owner.ints
    #expect(Array(list) == [4, 5])
    _ = storage.added(owner)
    #expect(owner.ints === list)
    storage.write {
      owner.ints = owner.ints
      #expect(Array(owner.ints) == [4, 5])
      other.append(6)
      owner.ints = other
      #expect(owner.ints === list)
    }
    #expect(Array(list) == [4, 5, 6])
    #expect(Array(other) == [4, 5, 6])
    #expect(other.realm == nil && list.realm != nil)
    let second = storage.added(ValueLists())
    storage.write { second.ints = owner.ints }
    #expect(Array(second.ints) == [4, 5, 6])
    #expect(second.ints !== owner.ints)
  }

  @Test func equality() {
    let (a, b) = (List<Int>(), List<Int>())
    #expect(a == b)
    a.append(1)
    #expect(a != b)
    b.append(1)
    #expect(a == b)
    let storage = ScratchRealm.ofCollections()
    let owner = storage.added(ValueLists())
    let again = storage.realm.objects(ValueLists.self).first!
    #expect(owner !== again)
    #expect(owner.ints == again.ints)
    #expect(owner.ints !== again.ints)
    #expect(owner.ints != storage.added(ValueLists()).ints)
    #expect(owner.ints != List<Int>())
  }

  @Test func manySegments() {
    let storage = ScratchRealm.ofCollections()
    let owner = storage.added(ValueLists())
    storage.write { owner.strings.append(objectsIn: (0..<5000).map { "value \($0)" }) }
    #expect(owner.strings.enumerated().allSatisfy { $0.element == "value \($0.offset)" })
    #expect(owner.strings[4321] == "value 4321")
    #expect(owner.strings.index(of: "value 2500") == 2500)
    storage.write { owner.strings.removeSubrange(1000..<3000) }
    #expect(owner.strings.count == 3000)
    #expect(owner.strings[1000] == "value 3000")
    storage.write { owner.ints.append(objectsIn: 0..<5000) }
    #expect(owner.ints.index(of: 4999) == 4999)
    #expect(Array(owner.ints) == Array(0..<5000))
  }

  @Test func lazyMethods() {
    let list = List<Int>()
    list.append(objectsIn: 1...4)
    #expect(Array(list.map { $0 * 2 }) == [2, 4, 6, 8])
    #expect(Array(list.filter { $0 > 2 }) == [3, 4])
    #expect(Array(list[1...2]) == [2, 3])
    #expect(Array(list.reversed()) == [4, 3, 2, 1])
    #expect(list.objects(at: [0, 3]) == [1, 4])
  }
}

/// A list and an array that are changed alike.
private final class ListAndArray<Element: RealmCollectionValue> {
  private let owner = ValueLists()
  private let list: List<Element>
  private let storage: ScratchRealm?
  private var model: [Element] = []
  private let sourceLocation: SourceLocation

  init(_ keyPath: KeyPath<ValueLists, List<Element>>, _ isManaged: Bool, _ sourceLocation: SourceLocation) {
    list = owner[keyPath: keyPath]
    storage = isManaged ? ScratchRealm.ofCollections() : nil
    self.sourceLocation = sourceLocation
    if let storage {
      _ = storage.added(owner)
      #expect(owner[keyPath: keyPath] === list, sourceLocation: sourceLocation)
    }
  }

  private func change(_ step: String, _ block: () -> Void) {
    if let storage { storage.write(block) } else { block() }
    #expect(Array(list) == model, "\(step)", sourceLocation: sourceLocation)
    #expect(list.count == model.count, "\(step)", sourceLocation: sourceLocation)
    #expect((0..<model.count).map { list[$0] } == model, "\(step)", sourceLocation: sourceLocation)
    #expect(list.first == model.first, "\(step)", sourceLocation: sourceLocation)
    #expect(list.last == model.last, "\(step)", sourceLocation: sourceLocation)
  }

  func add(_ values: [Element]) {
    let (a, b) = (values[0], values[1])
    change("append(contentsOf:)") {
      list.append(objectsIn: values)
      model.append(contentsOf: values)
    }
    for value in values {
      #expect(list.index(of: value) == model.firstIndex(of: value), sourceLocation: sourceLocation)
      #expect(list.contains(value), sourceLocation: sourceLocation)
    }
    change("append") {
      list.append(a)
      model.append(a)
    }
    change("insert") {
      list.insert(b, at: 0)
      list.insert(a, at: 1)
      model.insert(contentsOf: [b, a], at: 0)
    }
    change("insert(contentsOf:)") {
      list.insert(contentsOf: values, at: 2)
      model.insert(contentsOf: values, at: 2)
    }
  }

  func rearrange(_ a: Element, _ b: Element) {
    change("set") {
      list[1] = b
      model[1] = b
      list.replace(index: 0, object: a)
      model[0] = a
    }
    change("move") {
      list.move(from: 0, to: model.count - 1)
      model.append(model.removeFirst())
      list.move(from: model.count - 1, to: 1)
      model.insert(model.removeLast(), at: 1)
    }
    change("swap") {
      list.swapAt(0, 1)
      model.swapAt(0, 1)
      list.swapAt(1, 1)
    }
  }

  func remove(_ a: Element, _ b: Element) {
    change("remove(at:)") {
      list.remove(at: 1)
      model.remove(at: 1)
    }
    change("replaceSubrange") {
      list.replaceSubrange(0..<2, with: [b, a, b])
      model.replaceSubrange(0..<2, with: [b, a, b])
    }
    change("range subscript") {
      list[1..<2] = list[0..<1]
      model[1..<2] = model[0..<1]
    }
    change("removeSubrange") {
      list.removeSubrange(...0)
      model.removeSubrange(...0)
    }
    change("removeFirst, removeLast") {
      list.removeFirst()
      list.removeLast()
      model.removeFirst()
      model.removeLast()
      list.append(objectsIn: [a, b, a])
      list.removeLast(2)
      model.append(a)
    }
    change("remove(atOffsets:)") {
      list.remove(atOffsets: [0, model.count - 1])
      model.removeLast()
      model.removeFirst()
    }
  }

  func takeOthers() {
    change("its own elements") {
      list.append(objectsIn: list)
      model += model
    }
    let copy = List<Element>()
    copy.append(objectsIn: model)
    change("assigning another list") {
      list.removeAll()
      owner.setValue(
        copy,
        forKey: String(
          describing: owner.objectSchema.properties.first {
            owner.value(forKey: $0.name) as AnyObject === list
          }!.name))
    }
    change("removeAll") {
      list.removeAll()
      model.removeAll()
    }
    #expect(list.first == nil && list.last == nil && list.isEmpty, sourceLocation: sourceLocation)
  }
}
