import Foundation
import RealmSwift
import TestSupport
import Testing

/// Lists and dictionaries in mixed values of a file of format 4, which stores no identities for them.
@Suite struct EarlierNestedValueTests {
  private let folder = ScratchFolder()

  private func open() throws -> (realm: Realm, bag: Earlier.Bag) {
    let url = folder.file("format4.realm")
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "EarlierFiles/format4.realm")
    try FileManager.default.copyItem(at: source, to: url)
    let realm = try Realm(
      configuration: .init(
        fileURL: url, schemaVersion: 1, objectTypes: Earlier.typesWithNestedValues))
    return (realm, realm.objects(Earlier.Bag.self)[0])
  }

  private func names(_ list: List<AnyRealmValue>) -> [Int] {
    list.map { Int($0.dictionaryValue!["name"]!.stringValue!.dropFirst(5))! }
  }

  /// The lists of a bag that hold dictionaries with names and lists.
  private func lists(_ bag: Earlier.Bag) -> [List<AnyRealmValue>] {
    [bag.anys, bag.any.listValue!, bag.map["a"]!.listValue!]
  }

  @Test func valuesAreRead() throws {
    let (_, bag) = try open()
    #expect(lists(bag).map(names) == [[1, 2, 3, 4, 5], [1, 2, 3, 4], [1, 2, 3]])
    #expect(bag.map["b"]!.dictionaryValue!["name"] == .string("item 2"))
    let inner = bag.anys[4].dictionaryValue!["lists"]!.listValue!
    #expect(
      inner.map { Array($0.listValue!) } == [
        [.int(5), .string("a")], [.int(6), .string("b")], [.int(7), .string("c")],
      ])
    #expect(bag.anys[0].dictionaryValue == bag.anys[0].dictionaryValue)
    #expect(bag.anys[0].dictionaryValue != bag.anys[1].dictionaryValue)
  }

  @Test func referencesFollowFromTheFirstChangeOn() throws {
    let (realm, bag) = try open()
    for list in lists(bag) {
      let items = Array(list).map { $0.dictionaryValue! }
      let inner = items[2]["lists"]!.listValue!
      let innermost = inner[1].listValue!
      let frozen = innermost.freeze()
      try realm.write {
        inner.remove(at: 0)
        list.remove(at: 0)
      }
      #expect(items[0].isInvalidated)
      #expect(items[2]["name"] == .string("item 3"))
      #expect(Array(innermost) == [.int(4), .string("b")])
      try realm.write { list.insert(.fromDictionary(["name": .string("item 9")]), at: 1) }
      try realm.write {
        innermost.append(.bool(true))
        items[2]["name"] = .string("item 7")
      }
      #expect(Array(names(list).prefix(3)) == [2, 9, 7])
      #expect(list[2].dictionaryValue!["lists"]!.listValue![0].listValue![2] == .bool(true))
      #expect(Array(frozen) == [.int(4), .string("b")])
      #expect(frozen.thaw() == innermost)
      try realm.write { list.swapAt(0, 2) }
      #expect(items[1]["name"] == .string("item 2") && items[2]["name"] == .string("item 7"))
      try realm.write { list.move(from: 0, to: list.count - 1) }
      #expect(items[2]["name"] == .string("item 7"))
      realm.beginWrite()
      list.removeAll()
      #expect(items[2].isInvalidated)
      realm.cancelWrite()
      #expect(items[2]["name"] == .string("item 7"))
    }
    #expect(try Realm.verify(at: folder.file("format4.realm")).faults == [])
  }

  @Test func overwrittenValuesAreOthers() throws {
    let (realm, bag) = try open()
    let (entry, any) = (bag.map["b"]!.dictionaryValue!, bag.any.listValue!)
    let element = bag.anys[1].dictionaryValue!
    try realm.write {
      bag.map["b"] = bag.map["c"]
      bag.any = .fromArray([any[0]])
      bag.anys[1] = bag.anys[2]
    }
    #expect(entry.isInvalidated && any.isInvalidated && element.isInvalidated)
    #expect(names(bag.anys) == [1, 3, 3, 4, 5])
    try realm.write { bag.anys[2].dictionaryValue!["name"] = .string("item 8") }
    #expect(names(bag.anys) == [1, 3, 8, 4, 5])
  }

  /// A value without an identity is not taken for the collection that has none either.
  @Test func collectionsAreAssignedOverOtherValues() throws {
    let (realm, bag) = try open()
    for list in lists(bag) {
      try realm.write {
        list.append(.string("text"))
        list.append(.none)
        list[list.count - 2] = list[0]
        list[list.count - 1] = list[0]
      }
      let name = try #require(list[0].dictionaryValue)["name"]
      #expect(list.suffix(2).map { $0.dictionaryValue?["name"] } == [name, name])
    }
  }
}
