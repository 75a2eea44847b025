import Foundation
import Storage
import TestSupport
import Testing

@testable import RealmSwift

/// Random transactions that are made twice: by typed objects in one realm and by number in another.
struct NumberedRun {
  private let typed: Realm
  private let other: Realm
  private let numbered: NumberedRealm
  private let things: NumberedClassNames
  private let parts: NumberedClassNames
  private let inners: NumberedClassNames
  private let owned: NumberedClassNames
  private var random: SeededGenerator
  private var nextID = 0

  init(_ files: (ScratchRealm, ScratchRealm), _ random: SeededGenerator) throws {
    typed = try files.0.open()
    other = try files.1.open()
    numbered = NumberedRealm(other)
    things = NumberedClassNames(numbered, Numbered.Thing.self)
    parts = NumberedClassNames(numbered, Numbered.Part.self)
    inners = NumberedClassNames(numbered, Numbered.Inner.self)
    owned = NumberedClassNames(numbered, Numbered.Owned.self)
    self.random = random
  }

  mutating func transaction() throws {
    typed.beginWrite()
    other.beginWrite()
    for _ in 0..<Int.random(in: 1...30, using: &random) { try step() }
    if Int.random(in: 0..<8, using: &random) == 0 {
      typed.cancelWrite()
      other.cancelWrite()
    } else {
      try typed.commitWrite()
      try other.commitWrite()
    }
    if Int.random(in: 0..<6, using: &random) == 0 { other.invalidate() }
  }

  private mutating func step() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: try create()
    case 6..<9: try update()
    case 9: try delete()
    case 10: try setOwned()
    case 11, 12: try setPart()
    case 13: try setLink()
    case 14: try add()
    default: try setValue()
    }
  }

  /// A thing that both realms have, found by its key.
  private mutating func thing() throws -> (typed: Numbered.Thing, numbered: NumberedObject)? {
    let all = typed.objects(Numbered.Thing.self).sorted(by: \.id)
    guard let object = all.randomElement(using: &random) else { return nil }
    let found = try numbered.find(things.number, key: .int(Int64(object.id)))
    return (object, try #require(found))
  }

  // MARK: Values

  private struct Pick {
    let name: String
    let typed: Any?
    let numbered: NumberedValue
  }

  private mutating func text() -> String {
    ["", "a", "ä\u{301}x", "one two", "two three four", String(repeating: "long ", count: 60), "\0zero"]
      .randomElement(using: &random)!
  }

  private mutating func pick() throws -> Pick {
    let number = Int.random(in: -3...3, using: &random)
    let text = text()
    let seconds = Double(Int.random(in: -9...9, using: &random)) / 4
    let bits = UInt64.random(in: 0...3, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return Pick(name: "number", typed: number, numbered: .int(Int64(number)))
    case 1: return Pick(name: "flag", typed: number > 0, numbered: .bool(number > 0))
    case 2: return Pick(name: "text", typed: text, numbered: .text(text))
    case 3: return Pick(name: "words", typed: text, numbered: .text(text))
    case 4: return Pick(name: "words", typed: nil, numbered: .null)
    case 5:
      return Pick(name: "bytes", typed: Data(text.utf8), numbered: .data(LastingBytes.of(text.utf8)))
    case 6:
      return Pick(
        name: "date", typed: Date(timeIntervalSinceReferenceDate: seconds), numbered: .date(seconds))
    case 7: return Pick(name: "single", typed: Float(seconds), numbered: .float(Float(seconds)))
    case 8: return Pick(name: "double", typed: seconds, numbered: .double(seconds))
    case 9:
      let fixed = Fixed12(high: bits, low: 7)
      return Pick(name: "objectId", typed: ObjectId(fixed), numbered: .objectId(fixed))
    case 10:
      let decimal = Decimal128(value: number)
      return Pick(name: "decimal", typed: decimal, numbered: .decimal128(decimal.fixed))
    case 11:
      let fixed = Fixed16(high: bits, low: bits)
      return Pick(name: "uuid", typed: UUID(fixed), numbered: .uuid(fixed))
    case 12:
      return number > 0
        ? Pick(name: "maybe", typed: number, numbered: .int(Int64(number)))
        : Pick(name: "maybe", typed: nil, numbered: .null)
    case 13: return Pick(name: "maybeText", typed: text, numbered: .text(text))
    default: return try anything(number, text)
    }
  }

  private mutating func anything(_ number: Int, _ text: String) throws -> Pick {
    let name = "anything"
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return Pick(name: name, typed: AnyRealmValue.none, numbered: .null)
    case 1: return Pick(name: name, typed: AnyRealmValue.int(number), numbered: .int(Int64(number)))
    case 2: return Pick(name: name, typed: AnyRealmValue.string(text), numbered: .text(text))
    case 3: return Pick(name: name, typed: AnyRealmValue.list(List()), numbered: .list)
    case 4: return Pick(name: name, typed: AnyRealmValue.dictionary(Map()), numbered: .map)
    case 5: return Pick(name: name, typed: AnyRealmValue.double(0.5), numbered: .double(0.5))
    default:
      guard let thing = try thing() else {
        return Pick(name: name, typed: AnyRealmValue.bool(true), numbered: .bool(true))
      }
      return Pick(name: name, typed: AnyRealmValue.object(thing.typed), numbered: .object(thing.numbered))
    }
  }

  /// Values for some properties, each once.
  private mutating func picks() throws -> [Pick] {
    var picks: [Pick] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let pick = try pick()
      if !picks.contains(where: { $0.name == pick.name }) { picks.append(pick) }
    }
    return picks
  }

  // MARK: Steps

  private mutating func create() throws {
    nextID += 1
    var picks = try picks()
    if !picks.contains(where: { $0.name == "date" }) {
      picks.append(
        Pick(name: "date", typed: Date(timeIntervalSinceReferenceDate: 1), numbered: .date(1)))
    }
    for name in ["objectId", "uuid"] where !picks.contains(where: { $0.name == name }) {
      picks.append(
        name == "uuid"
          ? Pick(name: name, typed: UUID(Fixed16(high: 0, low: 0)), numbered: .uuid(Fixed16(high: 0, low: 0)))
          : Pick(
            name: name, typed: ObjectId(high: 0, low: 0), numbered: .objectId(Fixed12(high: 0, low: 0))))
    }
    var values: [String: Any] = ["id": nextID]
    for pick in picks { values[pick.name] = pick.typed ?? NSNull() }
    typed.create(Numbered.Thing.self, value: values)
    let made = try things.createOrUpdate(
      [("id", .int(Int64(nextID)))] + picks.map { ($0.name, $0.numbered) }, .error)
    #expect(made.isNew)
  }

  private mutating func update() throws {
    guard let thing = try thing() else { return }
    let policy: Realm.UpdatePolicy = Bool.random(using: &random) ? .modified : .all
    let picks = try picks()
    var values: [String: Any] = ["id": thing.typed.id]
    for pick in picks { values[pick.name] = pick.typed ?? NSNull() }
    typed.create(Numbered.Thing.self, value: values, update: policy)
    let made = try things.createOrUpdate(
      picks.map { ($0.name, $0.numbered) } + [("id", .int(Int64(thing.typed.id)))], policy)
    #expect(!made.isNew && made.object == thing.numbered)
  }

  private mutating func setValue() throws {
    guard let thing = try thing() else { return }
    let pick = try pick()
    thing.typed.setValue(pick.typed, forKey: pick.name)
    let (object, column) = (thing.numbered, things.column(pick.name))
    switch pick.numbered {
    case .int(let number) where pick.name == "number": try numbered.setInteger(object, column, number)
    case .bool(let flag) where pick.name == "flag": try numbered.setBool(object, column, flag)
    case .float(let number): try numbered.setFloat(object, column, number)
    case .double(let number) where pick.name == "double": try numbered.setDouble(object, column, number)
    case .date(let seconds): try numbered.setDate(object, column, seconds)
    case .string(let bytes) where pick.name != "anything":
      try numbered.setString(object, column, utf8: bytes)
    case .data(let bytes): try numbered.setData(object, column, bytes)
    case .objectId(let id): try numbered.setObjectId(object, column, id)
    case .decimal128(let fixed): try numbered.setDecimal128(object, column, fixed)
    case .uuid(let fixed): try numbered.setUUID(object, column, fixed)
    default: try numbered.set(object, column, pick.numbered)
    }
  }

  private mutating func add() throws {
    guard let thing = try thing() else { return }
    let difference = Int.random(in: -5...5, using: &random)
    thing.typed.number &+= difference
    try numbered.add(thing.numbered, things.column("number"), Int64(difference))
  }

  private mutating func setLink() throws {
    guard let thing = try thing(), let target = try self.thing() else { return }
    let isNull = Int.random(in: 0..<3, using: &random) == 0
    thing.typed.link = isNull ? nil : target.typed
    try numbered.set(thing.numbered, things.column("link"), isNull ? .null : .object(target.numbered))
  }

  private mutating func setOwned() throws {
    guard let thing = try thing() else { return }
    let new = Numbered.Owned(value: ["name": text()])
    typed.add(new)
    thing.typed.owned = new
    let object = try owned.create(["name": .text(new.name)])
    try numbered.set(thing.numbered, things.column("owned"), .object(object))
  }

  private mutating func setPart() throws {
    guard let thing = try thing() else { return }
    if Int.random(in: 0..<4, using: &random) == 0 {
      thing.typed.part = nil
      return try numbered.set(thing.numbered, things.column("part"), .null)
    }
    let size = Int.random(in: 0..<4, using: &random)
    thing.typed.part = Numbered.Part(value: ["size": size])
    thing.typed.part?.link = thing.typed
    let part = try numbered.setEmbedded(thing.numbered, things.column("part"))
    try numbered.setInteger(part, parts.column("size"), Int64(size))
    try numbered.set(part, parts.column("link"), .object(thing.numbered))
    if Bool.random(using: &random) {
      thing.typed.part?.part = Numbered.Inner(value: ["label": "inner"])
      let inner = try numbered.setEmbedded(part, parts.column("part"))
      try numbered.setString(inner, inners.column("label"), utf8: LastingBytes.of("inner".utf8))
    }
  }

  private mutating func delete() throws {
    guard let thing = try thing() else { return }
    typed.delete(thing.typed)
    try numbered.delete(thing.numbered)
    #expect(!numbered.isValid(thing.numbered))
  }

  // MARK: Comparing

  /// Compares what both realms hold, what indexes find in them, and what is read by number.
  func compare() throws {
    let (first, second) = (texts(typed), texts(other))
    #expect(first.count == second.count)
    for (text, other) in zip(first, second) { #expect(text == other) }
    for type in [Numbered.Part.self, Numbered.Inner.self, Numbered.Owned.self] as [ObjectBase.Type] {
      #expect(Self.count(type, typed) == Self.count(type, other))
    }
    for query in [
      "number == 1", "text == 'a'", "words TEXT 'two'", "date >= %@", "maybe == nil", "maybe == 2",
      "anything == 1", "anything == 'one two'", "part.size == 2", "link.number == 0", "owned.name == 'a'",
    ] {
      let arguments: [Any] = query.contains("%@") ? [Date(timeIntervalSinceReferenceDate: 0)] : []
      let found = try [typed, other].map { realm in
        try realm.objects(Numbered.Thing.self).filter(checking: query, arguments).map(\.id).sorted()
      }
      #expect(found[0] == found[1], "\(query)")
    }
    for object in typed.objects(Numbered.Thing.self) { try compareByNumber(object) }
  }

  private static func count(_ type: ObjectBase.Type, _ realm: Realm) -> Int {
    realm.core.classTable(type).table.state.pointee.liveCount
  }

  private func texts(_ realm: Realm) -> [String] {
    realm.objects(Numbered.Thing.self).sorted(by: \.id).map { thing in
      Numbered.Thing.sharedSchema()!.properties.map { property in
        switch property.name {
        case "link": "\(thing.link?.id ?? -1)"
        case "owned": thing.owned?.name ?? "-"
        case "list": "\(Array(thing.list))"
        case "anything":
          switch thing.anything {
          case .object(let object): "\((object as? Numbered.Thing)?.id ?? -1)"
          case .list(let list): "list of \(list.count)"
          case .dictionary(let map): "map of \(map.count)"
          default: "\(thing.anything)"
          }
        case "part":
          thing.part.map { "\($0.size) \($0.link?.id ?? -1) \($0.part?.label ?? "-")" } ?? "-"
        case "bytes": "\(Array(thing.bytes))"
        default: "\(thing.value(forKey: property.name) ?? "nil")"
        }
      }.joined(separator: "|")
    }
  }

  private func compareByNumber(_ object: Numbered.Thing) throws {
    let thing = try #require(try numbered.find(things.number, key: .int(Int64(object.id))))
    func column(_ name: String) -> Int { things.column(name) }
    #expect(try numbered.integer(thing, column("number")) == Int64(object.number))
    #expect(try numbered.bool(thing, column("flag")) == object.flag)
    #expect(try numbered.string(thing, column("text")).elementsEqual(object.text.utf8))
    #expect(try numbered.data(thing, column("bytes")).elementsEqual(object.bytes))
    #expect(try numbered.date(thing, column("date")) == object.date.timeIntervalSinceReferenceDate)
    #expect(try numbered.float(thing, column("single")) == object.single)
    #expect(try numbered.double(thing, column("double")) == object.double)
    #expect(try numbered.objectId(thing, column("objectId")) == object.objectId.fixed)
    #expect(try numbered.decimal128(thing, column("decimal")) == object.decimal.fixed)
    #expect(try numbered.uuid(thing, column("uuid")) == object.uuid.fixed)
    if let maybe = object.maybe {
      #expect(try numbered.integer(thing, column("maybe")) == Int64(maybe))
    } else {
      let error = #expect(throws: Refusal.self) { try numbered.integer(thing, column("maybe")) }
      #expect(error?.code == .isNull)
    }
    if let link = object.link {
      let found = try numbered.object(thing, column("link"))
      #expect(try numbered.integer(found, column("id")) == Int64(link.id))
    }
    let value = try numbered.value(thing, column("words"))
    #expect(value == object.words.map { .string($0) } ?? .null)
  }
}
