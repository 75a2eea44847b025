import Foundation
import RealmSwift
import Testing

struct CollectionTextTests {
  /// The text without the address.
  private func text(_ collection: some CustomStringConvertible) -> String {
    collection.description.replacing(/<0x[0-9a-f]+>/, with: "<address>")
  }

  @Test(arguments: [false, true]) func descriptions(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let kennel = Kennel(value: ["name": "north"])
    let lists = ValueLists()
    lists.ints.append(objectsIn: [1, 2])
    kennel.collars.append(Collar("red", size: 2))
    kennel.collarMap["left"] = Collar("blue")
    _ = storage?.added(kennel)
    _ = storage?.added(lists)
    #expect(text(lists.strings) == "List<string> <address> (\n\n)")
    #expect(text(lists.ints) == "List<int> <address> (\n\t[0] 1,\n\t[1] 2\n)")
    #expect(
      text(kennel.collars)
        == "List<Collar> <address> (\n\t[0] Collar {\n\t\tcolour = red;\n\t\tsize = 2;\n\t}\n)")
    #expect(
      text(kennel.collarMap)
        == "Map<string, Collar> <address> (\n\t[left]: Collar {\n\t\tcolour = blue;\n\t\tsize = 0;\n\t}\n)")
    #expect(text(kennel.walkerSet) == "MutableSet<Walker> <address> (\n\n)")
    #expect(text(AnyRealmCollection(lists.ints)).hasPrefix("AnyRealmCollection<int> "))
    #expect(kennel.description.contains("\tcollars = List<Collar> <0x"))
  }

  @Test func onlyTheFirstHundred() {
    let list = List<Int>()
    list.append(objectsIn: 0..<103)
    #expect(text(list).hasSuffix("\t[99] 99\n\t... 3 objects skipped.\n)"))
  }

  @Test func sortDescriptors() {
    #expect(
      RealmSwift.SortDescriptor(keyPath: "age").description
        == "SortDescriptor(keyPath: age, direction: ascending)")
    let reversed = ("age" as RealmSwift.SortDescriptor).reversed()
    #expect(reversed == RealmSwift.SortDescriptor(keyPath: "age", ascending: false))
    #expect(reversed.description.contains("descending"))
    #expect(RealmSwift.SortDescriptor(keyPath: \Walker.age).keyPath == "age")
  }

  @Test func coding() throws {
    let json = Data(#"{"a":1,"b":2}"#.utf8)
    let map = try JSONDecoder().decode(Map<String, Int>.self, from: json)
    #expect(map.keys == ["a", "b"] && map.values == [1, 2])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(map) == json)
    let list = try JSONDecoder().decode(List<Int?>.self, from: Data("[3,null]".utf8))
    #expect(Array(list) == [3, nil])
    #expect(try String(decoding: encoder.encode(list), as: UTF8.self) == "[3,null]")
    let set = try JSONDecoder().decode(MutableSet<String>.self, from: Data(#"["a","a"]"#.utf8))
    #expect(Array(set) == ["a"])
    #expect(try String(decoding: encoder.encode(set), as: UTF8.self) == #"["a"]"#)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(List<Int>.self, from: Data("{}".utf8)) }
    let storage = ScratchRealm.ofCollections()
    let lists = storage.added(ValueLists(value: ["ints": [1, 2]]))
    #expect(try String(decoding: encoder.encode(lists.ints), as: UTF8.self) == "[1,2]")
    #expect(try String(decoding: encoder.encode(AnyRealmCollection(lists.ints)), as: UTF8.self) == "[1,2]")
  }

  @Test func erasedCollections() {
    let storage = ScratchRealm.ofCollections()
    let kennel = storage.added(Kennel())
    storage.write { kennel.walkers.append(objectsIn: [Walker("a"), Walker("b")]) }
    let list = AnyRealmCollection(kennel.walkers)
    let results = AnyRealmCollection(storage.realm.objects(Walker.self))
    #expect(list.count == 2 && list[1].name == "b" && list.realm == storage.realm)
    #expect(list.map(\.name).elementsEqual(results.map(\.name)))
    #expect(list.index(of: kennel.walkers[1]) == 1)
    #expect(list == AnyRealmCollection(AnyRealmCollection(kennel.walkers)))
    #expect(list != results)
    #expect(list.filter("name == 'b'").count == 1)
    storage.write { storage.realm.delete(kennel) }
    #expect(list.isInvalidated)
  }
}
