import Foundation
import RealmSwift
import TestSupport
import Testing

/// Values of enums that a migration block assigns: their raw values are stored.
@Suite struct EnumMigrationTests {
  enum Size: String, PersistableEnum {
    case small, large
  }

  /// An enum that the program has not made persistable.
  enum Colour: Int {
    case red = 1
    case green
  }

  enum Old {
    class Item: HiddenItem { @Persisted var width = 0 }
  }

  enum New {
    class Item: HiddenItem {
      @Persisted var width = 0
      @Persisted var size = Size.small
      @Persisted var maybe: Size?
      @Persisted var colour = 0
      @Persisted var sizes: List<Size>
      @Persisted var colours: MutableSet<Int>
      @Persisted var named: Map<String, Size>
      @Persisted var anything: AnyRealmValue
    }
  }

  let file = ScratchRealm()

  @Test func rawValuesAreStored() throws {
    do {
      let realm = try file.open([Old.Item.self])
      try realm.write { for width in 0..<3 { realm.create(Old.Item.self, value: ["width": width]) } }
    }
    let realm = try file.migrate([New.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        let isLarge = old!["width"] as! Int > 0
        new!["size"] = isLarge ? Size.large : .small
        new!["maybe"] = isLarge ? Size.large : nil as Size?
        new!["colour"] = isLarge ? Colour.green : .red
        new!["sizes"] = [Size.large, .small]
        new!["colours"] = [Colour.green]
        new!["named"] = ["a": Size.large]
        new!["anything"] = Colour.green
      }
      migration.create(
        "Item", value: ["width": 9, "size": Size.large, "colour": 7, "anything": Size.large])
    }
    let items = realm.objects(New.Item.self).sorted(byKeyPath: "width")
    #expect(items.map(\.size) == [.small, .large, .large, .large])
    #expect(items.map(\.maybe) == [nil, .large, .large, nil])
    #expect(items.map(\.colour) == [1, 2, 2, 7])
    #expect(items.prefix(3).allSatisfy { Array($0.sizes) == [.large, .small] && Array($0.colours) == [2] })
    #expect(items.prefix(3).allSatisfy { $0.named["a"] == .large && $0.anything == .int(2) })
    #expect(items.last?.anything == .string("large"))
    // Arguments of a predicate as well.
    #expect(items.filter("colour == %@", Colour.green).count == 2)
  }

  @Test func aRawValueOfAnotherTypeStopsTheProgram() async throws {
    _ = try file.open([Old.Item.self])
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String] in
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, schemaVersion: 1,
        objectTypes: [New.Item.self])
      configuration.migrationBlock = { migration, _ in
        migration.create("Item")["size"] = Colour.red
      }
      _ = try Realm(configuration: configuration)
    }
    expectStop(result, saying: "Invalid value 'red' of type 'Colour' for 'string' property 'Item.size'.")
  }

  struct Flags: OptionSet {
    let rawValue: Int
  }

  /// An option set has a raw value, too, and is no enum: the program says which number it means.
  @Test func anOptionSetStopsTheProgram() async throws {
    _ = try file.open([Old.Item.self])
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String] in
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, schemaVersion: 1,
        objectTypes: [New.Item.self])
      configuration.migrationBlock = { migration, _ in
        migration.create("Item")["colour"] = Flags(rawValue: 3)
      }
      _ = try Realm(configuration: configuration)
    }
    expectStop(result, saying: "of type 'Flags' for 'int' property 'Item.colour'.")
  }
}
