import Foundation
import RealmSwift
import TestSupport
import Testing

/// An object as it should be.
private struct Expected: Equatable {
  var number: Int?
  var text: String?
  var long = ""
  var title = ""
  var flag = ""
  var ratio: Double?
  var data: Data?
  var mixed: Int?
  var link: Int?
  var links: [Int] = []
  var prop: String?
  var props: [String] = []
  var added = 0
}

/// What migration blocks do at random, and what should come of it. Objects are known by their serial numbers.
private final class Model: @unchecked Sendable {
  var objects: [Int: Expected] = [:]
  /// The objects that link to an object, with some that did.
  private var linking: [Int: Set<Int>] = [:]
  var random: SeededGenerator
  var nextSerial = 0
  /// Which of the columns have values that are stored outside of their chunks, and how often.
  private let rareness: Int

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    rareness = [8, 400, 3000].randomElement(using: &random)!
  }

  func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
  func anySerial() -> Int { objects.keys.contains(nextSerial / 2) ? below(nextSerial) : nextSerial - 1 }
  func anyNumber() -> Int { [below(20), below(1000), -below(100_000), below(1 << 40)][below(4)] }
  func anyText() -> String {
    if below(rareness) == 0 { return String(repeating: "long \(below(100)) ", count: 20 + below(200)) }
    return below(6) == 0 ? String(repeating: "é", count: 60 + below(5)) : "text \(below(300))"
  }
  func anyData() -> Data { Data(repeating: UInt8(below(256)), count: below(rareness) == 0 ? 700 : below(20)) }

  func create() -> (serial: Int, Expected) {
    defer { nextSerial += 1 }
    let expected = Expected(
      number: anyNumber(), text: below(5) == 0 ? nil : anyText(), long: anyText(), title: anyText(),
      ratio: below(4) == 0 ? nil : Double(below(1000)) / 8, data: below(4) == 0 ? nil : anyData(),
      mixed: below(4) == 0 ? nil : below(99), prop: below(3) == 0 ? "prop \(below(99))" : nil,
      props: (0..<below(3)).map { "part \($0)" })
    objects[nextSerial] = expected
    return (nextSerial, expected)
  }

  /// An object has come to link to another one.
  func remember(_ serial: Int, linksTo target: Int) { linking[target, default: []].insert(serial) }

  func delete(_ serial: Int) {
    objects[serial] = nil
    for other in linking.removeValue(forKey: serial) ?? [] where objects[other] != nil {
      if objects[other]!.link == serial { objects[other]!.link = nil }
      objects[other]!.links.removeAll { $0 == serial }
    }
  }
}

extension Expected {
  /// What a new object is made of, before or after the migration.
  fileprivate func values(_ serial: Int, isBefore: Bool) -> [String: Any] {
    var values: [String: Any] = [
      "serial": serial, "number": number!, "long": long, isBefore ? "surname" : "title": title,
      "props": props.map { ["name": $0] },
    ]
    values["text"] = text
    values["ratio"] = ratio
    values["data"] = data
    values["any"] = mixed
    values["prop"] = prop.map { ["name": $0] }
    return values
  }

  fileprivate init(_ stage: StageAfter.Stage) {
    self.init(
      number: stage.number, text: stage.text, long: stage.long, title: stage.title, flag: stage.flag,
      ratio: stage.ratio, data: stage.data, mixed: stage.any.intValue, link: stage.link?.serial,
      links: stage.links.map(\.serial), prop: stage.prop?.name, props: stage.props.map(\.name),
      added: stage.added)
  }

  /// As the block is given it.
  fileprivate init(_ old: MigrationObject) {
    let isBefore = old.objectSchema["surname"] != nil
    number = old["number"] as? Int
    text = old["text"] as? String
    long = old["long"] as! String
    title = old[isBefore ? "surname" : "title"] as! String
    flag = old["flag"] as? String ?? ""
    ratio = old["ratio"] as? Double
    data = old["data"] as? Data
    mixed = old["any"] as? Int
    link = (old["link"] as? MigrationObject)?["serial"] as? Int
    links = old.dynamicList("links").map { $0["serial"] as! Int }
    prop = (old["prop"] as? MigrationObject)?["name"] as? String
    props = old.dynamicList("props").map { $0["name"] as! String }
    added = isBefore ? 0 : old["added"] as! Int
  }
}

/// A block that goes through all objects several times, and changes, creates and deletes some.
private struct RandomBlock {
  let migration: Migration
  let model: Model
  /// All that are there, as the block has collected them.
  var objects: [Int: MigrationObject] = [:]
  var olds: [Int: MigrationObject] = [:]

  mutating func run() {
    let before = model.objects
    let serials = before.keys.sorted()
    if migration.oldSchema["Stage"]?["surname"] != nil {
      migration.renameProperty(onType: "Stage", from: "surname", to: "title")
      for serial in model.objects.keys where model.objects[serial]!.text == nil {
        model.objects[serial]!.text = ""
      }
    }
    migration.enumerateObjects(ofType: "Stage") { old, new in
      let serial = new!["serial"] as! Int
      objects[serial] = new
      olds[serial] = old
    }
    for _ in 0..<3 {
      let share = [1, 2, 40].randomElement(using: &model.random)!
      let property = model.below(3) == 0 ? nil : model.below(11)
      migration.enumerateObjects(ofType: "Stage") { old, new in
        let serial = new!["serial"] as! Int
        if let old, model.below(8) == 0 { #expect(Expected(old) == before[serial], "\(serial)") }
        if model.below(50) == 0 {
          let other = serials[model.below(serials.count)]
          #expect(Expected(olds[other]!) == before[other], "\(other)")
        }
        if model.below(share) == 0 { change(serial, new!, property ?? model.below(11)) }
        if model.below(60) == 0 { create() }
        if model.below(60) == 0 { delete(model.anySerial()) }
      }
    }
  }

  private mutating func create() {
    let (serial, expected) = model.create()
    objects[serial] = migration.create("Stage", value: expected.values(serial, isBefore: false))
    model.objects[serial]!.text = expected.text ?? ""
  }

  private mutating func delete(_ serial: Int) {
    guard let object = objects.removeValue(forKey: serial) else { return }
    migration.delete(object)
    model.delete(serial)
  }

  private func change(_ serial: Int, _ new: MigrationObject, _ property: Int) {
    guard var expected = model.objects[serial] else { return }
    func set(_ name: String, _ value: Any?) { new[name] = value }
    switch property {
    case 0:
      expected.number = model.below(4) == 0 ? nil : model.anyNumber()
      set("number", expected.number)
    case 1:
      expected.text = model.anyText()
      set("text", expected.text)
    case 2:
      expected.long = model.below(2) == 0 ? model.anyText() : expected.title
      set("long", expected.long)
    case 3:
      expected.title = model.below(2) == 0 ? model.anyText() : expected.text!
      set("title", expected.title)
    case 4:
      expected.flag = model.below(2) == 0 ? "yes" : model.anyText()
      set("flag", expected.flag)
    case 5:
      expected.ratio = model.below(3) == 0 ? nil : Double(model.below(100)) / 4
      set("ratio", expected.ratio)
    case 6:
      expected.data = model.below(3) == 0 ? nil : model.anyData()
      set("data", expected.data)
    case 7:
      expected.mixed = model.below(3) == 0 ? nil : model.anyNumber()
      set("any", expected.mixed)
    case 8:
      let target = model.anySerial()
      expected.link = objects[target] == nil ? nil : target
      set("link", objects[target])
      model.remember(serial, linksTo: target)
    case 9:
      let target = model.anySerial()
      let links = new.dynamicList("links")
      if model.below(3) == 0 || objects[target] == nil {
        links.removeAll()
        expected.links = []
      } else {
        links.append(objects[target]!)
        expected.links.append(target)
        model.remember(serial, linksTo: target)
      }
    default:
      expected.added = model.below(100)
      set("added", expected.added)
      if model.below(3) == 0 {
        expected.prop = nil
        set("prop", nil)
      }
      if !expected.props.isEmpty {
        expected.props.removeLast()
        new.dynamicList("props").removeLast()
      }
    }
    model.objects[serial] = expected
  }
}

/// Migrations that change, create and delete at random, compared with a model, and the file verified. Chunks are packed as
/// the blocks go on, and those of encrypted files let go of.
@Suite struct MigrationModelTests {
  let scratch = ScratchFolder()

  private func open(
    _ types: [ObjectBase.Type], key: Data?, version: UInt64, _ model: Model? = nil
  ) throws -> Realm {
    var configuration = Realm.Configuration(
      fileURL: scratch.file("stages.realm"), encryptionKey: key, schemaVersion: version, objectTypes: types)
    if let model {
      configuration.migrationBlock = { migration, _ in
        var block = RandomBlock(migration: migration, model: model)
        block.run()
      }
    }
    return try Realm(configuration: configuration)
  }

  private func fill(_ model: Model, key: Data?) throws {
    let realm = try open(StageBefore.types, key: key, version: 0)
    try realm.write {
      for _ in 0..<2 * 960 + 200 {
        let (serial, expected) = model.create()
        realm.create(StageBefore.Stage.self, value: expected.values(serial, isBefore: true))
      }
      let stages = Array(realm.objects(StageBefore.Stage.self))
      for stage in stages where model.below(2) == 0 {
        let (link, next) = (model.below(stages.count), model.below(stages.count))
        (stage.link, model.objects[stage.serial]!.link) = (stages[link], link)
        stage.links.append(stages[next])
        model.objects[stage.serial]!.links = [next]
        for target in [link, next] { model.remember(stage.serial, linksTo: target) }
      }
    }
    // Some chunks have few rows left, or have lost some.
    let share = [0, 2, 9].randomElement(using: &model.random)!
    if share == 0 { return }
    try realm.write {
      for stage in Array(realm.objects(StageBefore.Stage.self).where({ $0.serial < 1000 })) {
        if model.below(10) >= share { continue }
        model.delete(stage.serial)
        realm.delete(stage)
      }
    }
  }

  private func check(_ realm: Realm, _ model: Model) {
    let stages = realm.objects(StageAfter.Stage.self)
    #expect(stages.count == model.objects.count)
    for stage in stages { #expect(Expected(stage) == model.objects[stage.serial], "\(stage.serial)") }
    for (serial, expected) in model.objects.sorted(by: { $0.key < $1.key }).suffix(20) {
      #expect(realm.object(ofType: StageAfter.Stage.self, forPrimaryKey: serial) != nil)
      #expect(
        stages.where { $0.number == expected.number }.count
          == model.objects.values.count { $0.number == expected.number })
      #expect(
        stages.where { $0.text == expected.text! }.count
          == model.objects.values.count { $0.text == expected.text })
      #expect(
        stages.where { $0.added == expected.added }.count
          == model.objects.values.count { $0.added == expected.added })
      if let word = expected.title.split(separator: " ").last {
        #expect(stages.filter("title TEXT %@", String(word)).contains { $0.serial == serial })
      }
      #expect(
        stages.where { $0.link.serial == serial }.count
          == model.objects.values.count { $0.link == serial })
    }
  }

  @Test(
    arguments: TestLength.seeds(Array(1...40), short: 2), [nil, Data(repeating: 5, count: 64)])
  func asTheModelSays(seed: UInt64, key: Data?) throws {
    print("seed \(seed)")
    let model = Model(seed: seed)
    try autoreleasepool { try fill(model, key: key) }
    for version in 1...2 as ClosedRange<UInt64> {
      try autoreleasepool {
        check(try open(StageAfter.types, key: key, version: version, model), model)
      }
      #expect(try Realm.verify(at: scratch.file("stages.realm"), encryptionKey: key).faults == [])
      try autoreleasepool { check(try open(StageAfter.types, key: key, version: version), model) }
    }
  }
}
