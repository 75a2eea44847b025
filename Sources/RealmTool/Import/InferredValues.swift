import RealmSwift
import Storage

/// What the values of a property were, over all records.
final class InferredValues {
  /// How many values there were that are not null.
  private(set) var count = 0
  private var hasNull = false
  private var kinds: Kinds = []
  /// What all texts may be.
  private var forms: Forms = .all
  /// Whether there was an integer that a double would round.
  private var hasLongInteger = false
  /// Whether there was an integer that 64 bits do not hold.
  private var hasHugeInteger = false
  private var elements: InferredValues?
  private(set) var names: [String] = []
  private(set) var members: [ExactText: InferredValues] = [:]
  /// Where the last object's members were, as those of the next one mostly are.
  private var order: [InferredValues] = []

  private struct Kinds: OptionSet {
    let rawValue: UInt8
    static let bool = Kinds(rawValue: 1)
    static let int = Kinds(rawValue: 2)
    static let double = Kinds(rawValue: 4)
    static let string = Kinds(rawValue: 8)
    static let field = Kinds(rawValue: 16)
    static let array = Kinds(rawValue: 32)
    static let object = Kinds(rawValue: 64)
    /// What only a mixed value can be.
    static let tagged = Kinds(rawValue: 128)
  }

  private struct Forms: OptionSet {
    let rawValue: UInt8
    static let date = Forms(rawValue: 1)
    static let uuid = Forms(rawValue: 2)
    static let objectId = Forms(rawValue: 4)
    static let int = Forms(rawValue: 8)
    static let double = Forms(rawValue: 16)
    static let bool = Forms(rawValue: 32)
    static let all: Forms = [.date, .uuid, .objectId, .int, .double, .bool]
  }

  /// More different members than a class would have: their names are data.
  private static let mostMembers = 100

  func note(_ value: JSONValue) {
    if value == .null {
      hasNull = true
      return
    }
    count += 1
    switch value {
    case .null: break
    case .bool: kinds.insert(.bool)
    case .int(let number):
      kinds.insert(.int)
      noteInteger(number)
    case .number(let text):
      kinds.insert(.double)
      if JSONValue.isWhole(text) { hasHugeInteger = true }
    case .string(let text):
      kinds.insert(.string)
      note(text)
    case .field(let text):
      kinds.insert(.field)
      note(text)
    case .array(let values):
      kinds.insert(.array)
      let inferred = elements ?? InferredValues()
      elements = inferred
      for value in values { inferred.note(value) }
    case .object(let members):
      if members.first?.name.hasPrefix("$") == true { kinds.insert(.tagged) } else { note(members) }
    }
  }

  /// Notes an object, or a record.
  func note(_ found: [JSONValue.Member]) {
    kinds.insert(.object)
    for (position, member) in found.enumerated() {
      if position < order.count, names[position].isExactly(member.name) {
        order[position].note(member.value)
      } else if member.name != "$row" {
        let name = ExactText(member.name)
        if members[name] == nil {
          members[name] = InferredValues()
          names.append(member.name)
          order.append(members[name]!)
        }
        members[name]!.note(member.value)
      }
    }
  }

  private func note(_ text: String) {
    if forms.isEmpty { return }
    func drop(_ form: Forms, unless isFit: Bool) { if !isFit { forms.remove(form) } }
    if forms.contains(.date) { drop(.date, unless: text.first != "@" && DateText.seconds(text) != nil) }
    if forms.contains(.uuid) { drop(.uuid, unless: ValueText.value(text, of: .uuid) != nil) }
    if forms.contains(.objectId) { drop(.objectId, unless: ValueText.value(text, of: .objectId) != nil) }
    if !kinds.contains(.field) { return }
    let number = text.first == "-" ? text.dropFirst() : text[...]
    // What begins with zeros, as post codes do, is text.
    let isPlain =
      number.first?.isNumber == true
      && (number.count == 1 || number.first != "0" || number.dropFirst().first == ".")
    if isPlain, let integer = Int64(text) {
      noteInteger(integer)
    } else if isPlain && JSONValue.isWhole(text) {
      hasHugeInteger = true
    }
    if forms.contains(.int) { drop(.int, unless: isPlain && Int64(text) != nil) }
    if forms.contains(.double) {
      drop(
        .double, unless: isPlain && text.utf8.allSatisfy { $0 != UInt8(ascii: "x") } && Double(text) != nil)
    }
    if forms.contains(.bool) { drop(.bool, unless: text == "true" || text == "false") }
  }

  private func noteInteger(_ number: Int64) {
    if Int64(exactly: Double(number)) != number { hasLongInteger = true }
  }

  /// Whether all values are numbers.
  private var isNumeric: Bool {
    kinds.isSubset(of: [.int, .double]) || kinds == .field && forms.contains(.double)
  }

  /// Whether the values are mixed only because a double would round some of them.
  private var wouldBeRounded: Bool {
    hasLongInteger && !hasHugeInteger
      && (kinds == [.int, .double]
        || kinds == .field && forms.contains(.double) && !forms.contains(.int))
  }

  // MARK: What it is

  /// The type that fits all values.
  private var scalar: ValueType? {
    if count == 0 { return .string }
    if hasHugeInteger && isNumeric { return .decimal128 }
    if wouldBeRounded { return .mixed }
    switch kinds {
    case .bool: return .bool
    case .int: return .int
    case .double, [.int, .double]: return .double
    case .string, .field:
      if forms.contains(.int) && kinds == .field { return .int }
      if forms.contains(.double) && kinds == .field { return .double }
      if forms.contains(.bool) && kinds == .field { return .bool }
      if forms.contains(.date) { return .date }
      if forms.contains(.uuid) { return .uuid }
      if forms.contains(.objectId) { return .objectId }
      return .string
    case .array, .object: return nil
    default: return .mixed
    }
  }

  /// The property; classes that it needs are added to those that are there.
  func property(
    _ name: String, of owner: String, records: Int, isKey: Bool, isTaken: (String) -> Bool,
    _ classes: inout [ClassPlan]
  ) -> ClassPlan.Property {
    let isOptional = hasNull || count < records
    if let scalar {
      return .init(
        column: Column(
          name: name, type: scalar, isNullable: isOptional || scalar == .mixed, isIndexed: isKey,
          isPrimaryKey: isKey),
        wouldBeRounded: wouldBeRounded)
    }
    // Nothing was ever in it, and a class has properties.
    if kinds == .object && members.isEmpty { return mixed(name) }
    if kinds == .array {
      if isOptional || elements?.kinds == .array { return mixed(name) }
      return collection(.list, elements, name, owner, isTaken, &classes)
    }
    if members.count > Self.mostMembers && !isOptional {
      let all = InferredValues()
      for member in members.values { all.merge(member) }
      if all.scalar != nil { return collection(.map, all, name, owner, isTaken, &classes) }
    }
    let target = embedded(name, owner, isTaken, &classes)
    return .init(column: Column(name: name, type: .link, isNullable: true), target: target)
  }

  private func mixed(_ name: String) -> ClassPlan.Property {
    .init(column: Column(name: name, type: .mixed, isNullable: true))
  }

  private func collection(
    _ type: CollectionType, _ elements: InferredValues?, _ name: String, _ owner: String,
    _ isTaken: (String) -> Bool, _ classes: inout [ClassPlan]
  ) -> ClassPlan.Property {
    guard let elements, elements.count > 0 || elements.hasNull else {
      return .init(column: Column(name: name, type: .mixed, collection: type, isNullable: true))
    }
    if let scalar = elements.scalar {
      return .init(
        column: Column(
          name: name, type: scalar, collection: type, isNullable: elements.hasNull || scalar == .mixed),
        wouldBeRounded: elements.wouldBeRounded)
    }
    if elements.kinds == .object && !elements.hasNull && !elements.members.isEmpty {
      let target = elements.embedded(name, owner, isTaken, &classes)
      return .init(column: Column(name: name, type: .link, collection: type), target: target)
    }
    return .init(column: Column(name: name, type: .mixed, collection: type, isNullable: true))
  }

  private func embedded(
    _ name: String, _ owner: String, _ isTaken: (String) -> Bool, _ classes: inout [ClassPlan]
  ) -> String {
    var className = owner + name.prefix(1).uppercased() + name.dropFirst()
    while isTaken(className) || classes.contains(where: { $0.name == className }) { className += "_" }
    let place = classes.count
    classes.append(ClassPlan(name: className, isEmbedded: true))
    classes[place].properties = properties(of: className, key: nil, isTaken: isTaken, &classes)
    return className
  }

  /// The properties of a class whose objects were noted.
  func properties(
    of className: String, key: String?, isTaken: (String) -> Bool, _ classes: inout [ClassPlan]
  ) -> [ClassPlan.Property] {
    names.map {
      members[ExactText($0)]!.property(
        $0, of: className, records: count, isKey: key?.isExactly($0) ?? false, isTaken: isTaken, &classes)
    }
  }

  /// Counts a record whose members were noted.
  func noteRecord(_ found: [JSONValue.Member]) {
    count += 1
    note(found)
  }

  private func merge(_ other: InferredValues) {
    count += other.count
    hasNull = hasNull || other.hasNull
    hasLongInteger = hasLongInteger || other.hasLongInteger
    hasHugeInteger = hasHugeInteger || other.hasHugeInteger
    kinds.formUnion(other.kinds)
    forms.formIntersection(other.forms)
  }
}
