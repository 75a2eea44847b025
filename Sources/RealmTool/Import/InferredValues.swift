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
  /// The members in the order of their names.
  private var order: [InferredValues] = []
  /// Types that the source names.
  private var types: Set<ValueType> = []
  /// Why no class can have these objects, with source and line.
  private var fault: String?
  /// Statistics by name number in the source that is being read.
  private var recordSource: RecordNames.Source?
  private var recordMembers: ContiguousArray<InferredValues?> = []

  private struct Kinds: OptionSet {
    let rawValue: UInt16
    static let bool = Kinds(rawValue: 1)
    static let int = Kinds(rawValue: 2)
    static let double = Kinds(rawValue: 4)
    static let string = Kinds(rawValue: 8)
    static let field = Kinds(rawValue: 16)
    static let array = Kinds(rawValue: 32)
    static let object = Kinds(rawValue: 64)
    /// What only a mixed value can be.
    static let tagged = Kinds(rawValue: 128)
    /// A value whose type the source names.
    static let typed = Kinds(rawValue: 256)
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

  func note(_ value: JSONValue, at place: SourcePlace, depth: Int) {
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
    case .string(var text):
      kinds.insert(.string)
      text.withUTF8 { note(text: UnsafeRawBufferPointer($0)) }
    case .field(let text): noteField(text)
    case .typed(.double, _): kinds.insert(.double)
    case .typed(let type, _):
      kinds.insert(.typed)
      types.insert(type)
    case .array(let values):
      kinds.insert(.array)
      let inferred = elements ?? InferredValues()
      elements = inferred
      for value in values { inferred.note(value, at: place, depth: depth) }
    case .object(let members):
      if Self.isTagged(members) { kinds.insert(.tagged) } else { note(members, at: place, depth: depth + 1) }
    }
  }

  /// Whether an object means something that only a mixed value can be.
  private static func isTagged(_ members: [JSONValue.Member]) -> Bool {
    guard let name = members.first?.name, name.hasPrefix("$") else { return false }
    return ["$class", "$key", "$row", ExtendedJSON.dictionary].contains(name) || ExtendedJSON.isTag(name)
  }

  /// Adds the values of a nested object to the statistics.
  private func note(_ found: [JSONValue.Member], at place: SourcePlace, depth: Int) {
    kinds.insert(.object)
    if depth > JSONText.deepest {
      fault = fault ?? "\(place): objects lie more than \(JSONText.deepest) deep within each other"
      return
    }
    for (position, member) in found.enumerated() {
      let known = position < order.count && names[position].isExactly(member.name) ? order[position] : nil
      (known ?? self.member(member.name, at: place))?.note(member.value, at: place, depth: depth)
    }
  }

  /// Returns the statistics of a property; nil for a name that is no property.
  private func member(_ name: String, at place: SourcePlace) -> InferredValues? {
    if name == "$row" { return nil }
    if let known = members[ExactText(name)] { return known }
    if name.isEmpty {
      fault = fault ?? "\(place): a member of an object has the empty name, which no property can have"
    }
    let new = InferredValues()
    members[ExactText(name)] = new
    names.append(name)
    order.append(new)
    return new
  }

  /// Adds the values of a record to the statistics.
  func note(_ record: Record, at place: @autoclosure () -> SourcePlace) {
    count += 1
    kinds.insert(.object)
    if recordSource !== record.names.source {
      recordSource = record.names.source
      recordMembers = []
    }
    for number in recordMembers.count..<max(record.names.count, recordMembers.count) {
      recordMembers.append(member(record.names[number], at: place()))
    }
    for (name, cell) in zip(record.members, record.cells) {
      guard let known = recordMembers[name] else { continue }
      switch cell {
      case .null: known.hasNull = true
      case .field(let bytes): known.noteField(bytes)
      case .string(let bytes):
        known.count += 1
        known.kinds.insert(.string)
        known.note(text: bytes)
      case .int(let number):
        known.count += 1
        known.kinds.insert(.int)
        known.noteInteger(number)
      case .number(let number):
        known.count += 1
        known.kinds.insert(.double)
        if number.isInteger { known.hasHugeInteger = true }
      case .bool:
        known.count += 1
        known.kinds.insert(.bool)
      default: known.note(record.value(cell), at: place(), depth: 0)
      }
    }
  }

  // MARK: Texts

  func noteField(_ text: String) {
    var text = text
    text.withUTF8 { noteField(UnsafeRawBufferPointer($0)) }
  }

  private func noteField(_ bytes: UnsafeRawBufferPointer) {
    count += 1
    kinds.insert(.field)
    if forms.isEmpty { return }
    noteNumber(bytes)
    note(text: bytes)
  }

  /// Whether all fields can be of another type than text.
  var isRecognised: Bool { !forms.isEmpty }

  private func note(text bytes: UnsafeRawBufferPointer) {
    if forms.isDisjoint(with: [.date, .uuid, .objectId, .bool]) { return }
    func drop(_ form: Forms, unless isFit: Bool) { if !isFit { forms.remove(form) } }
    if forms.contains(.date) {
      drop(.date, unless: bytes.first != UInt8(ascii: "@") && DateText.seconds(utf8: bytes) != nil)
    }
    if forms.contains(.uuid) {
      drop(
        .uuid,
        unless: bytes.count == 36
          && ValueText.value(String(decoding: bytes, as: UTF8.self), of: .uuid) != nil)
    }
    if forms.contains(.objectId) { drop(.objectId, unless: FieldText.isObjectId(bytes)) }
    if forms.contains(.bool) { drop(.bool, unless: FieldText.bool(bytes) != nil) }
  }

  /// Adds a field to the statistics of numbers.
  private func noteNumber(_ bytes: UnsafeRawBufferPointer) {
    if forms.isDisjoint(with: [.int, .double]) { return }
    let digits = bytes.first == UInt8(ascii: "-") ? 1 : 0
    // What begins with zeros, as post codes do, is text.
    guard bytes.count > digits, FieldText.isDigit(bytes[digits]),
      bytes.count == digits + 1 || bytes[digits] != UInt8(ascii: "0")
        || bytes[digits + 1] == UInt8(ascii: ".")
    else {
      forms.subtract([.int, .double])
      return
    }
    if let integer = FieldText.integer(bytes) { return noteInteger(integer) }
    if bytes[digits...].allSatisfy(FieldText.isDigit) {
      if let integer = Int64(String(decoding: bytes, as: UTF8.self)) { return noteInteger(integer) }
      forms.remove(.int)
      // More digits than a decimal has: a text of digits, such as a long account number.
      if ValueText.value(String(decoding: bytes, as: UTF8.self), of: .decimal128) == nil {
        forms.remove(.double)
      } else {
        hasHugeInteger = true
      }
      return
    }
    forms.remove(.int)
    if FieldText.double(bytes) == nil && !Self.isNumber(String(decoding: bytes, as: UTF8.self)) {
      forms.remove(.double)
    }
  }

  /// Whether a text is a number in decimal digits that a double can hold.
  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 != UInt8(ascii: "x") } && Double(text)?.isFinite == true
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
    case .typed: return types.count == 1 ? types.first : .mixed
    case [.typed, .int] where types == [.decimal128]: return .decimal128
    default: return .mixed
    }
  }

  /// The property; classes that it needs are added to those that are there.
  ///
  /// - Parameter type: What the user says that its values are.
  /// - Throws: `ToolError` when there can be no such class.
  func property(
    _ name: String, of owner: String, records: Int, isKey: Bool, type: ValueType?,
    _ classes: inout InferredClasses
  ) throws -> ClassPlan.Property {
    let isOptional = hasNull || count < records
    if let type, kinds.isDisjoint(with: [.array, .object]) || type == .mixed {
      return .init(
        column: Column(
          name: name, type: type, isNullable: isOptional || type == .mixed, isIndexed: isKey,
          isPrimaryKey: isKey))
    }
    if let scalar {
      return .init(
        column: Column(
          name: name, type: scalar, isNullable: isOptional || scalar == .mixed, isIndexed: isKey,
          isPrimaryKey: isKey),
        wouldBeRounded: wouldBeRounded)
    }
    // Nothing was ever in it, and a class has properties.
    if kinds == .object && members.isEmpty && fault == nil { return mixed(name) }
    if kinds == .array {
      if isOptional || elements?.kinds == .array { return mixed(name) }
      return try collection(.list, elements, name, owner, type, &classes)
    }
    if members.count > Self.mostMembers && !isOptional {
      let all = InferredValues()
      for member in members.values { all.merge(member) }
      if all.scalar != nil {
        // Keys of maps have neither dots nor a $ at their beginning; those of dictionaries may.
        let isMap = names.allSatisfy { !$0.contains(".") && !$0.hasPrefix("$") }
        return isMap ? try collection(.map, all, name, owner, type, &classes) : mixed(name)
      }
    }
    let target = try embedded(name, owner, &classes)
    return .init(column: Column(name: name, type: .link, isNullable: true), target: target)
  }

  private func mixed(_ name: String) -> ClassPlan.Property {
    .init(column: Column(name: name, type: .mixed, isNullable: true))
  }

  private func collection(
    _ collection: CollectionType, _ elements: InferredValues?, _ name: String, _ owner: String,
    _ type: ValueType?, _ classes: inout InferredClasses
  ) throws -> ClassPlan.Property {
    guard let elements, elements.count > 0 || elements.hasNull else {
      return .init(
        column: Column(
          name: name, type: type ?? .mixed, collection: collection, isNullable: type ?? .mixed == .mixed))
    }
    if let scalar = type ?? elements.scalar {
      return .init(
        column: Column(
          name: name, type: scalar, collection: collection, isNullable: elements.hasNull || scalar == .mixed),
        wouldBeRounded: type == nil && elements.wouldBeRounded)
    }
    if elements.kinds == .object && !elements.hasNull && !(elements.members.isEmpty && elements.fault == nil)
    {
      let target = try elements.embedded(name, owner, &classes)
      return .init(column: Column(name: name, type: .link, collection: collection), target: target)
    }
    return .init(column: Column(name: name, type: .mixed, collection: collection, isNullable: true))
  }

  private func embedded(
    _ name: String, _ owner: String, _ classes: inout InferredClasses
  ) throws -> String {
    let className = classes.freeName(owner + name.prefix(1).uppercased() + name.dropFirst())
    let place = classes.add(ClassPlan(name: className, isEmbedded: true))
    classes.plans[place].properties = try properties(of: className, key: nil, type: { _ in nil }, &classes)
    return className
  }

  /// The properties of a class whose objects were noted.
  ///
  /// - Parameter type: What the user says that a property is.
  func properties(
    of className: String, key: String?, type: (String) -> ValueType?, _ classes: inout InferredClasses
  ) throws -> [ClassPlan.Property] {
    if let fault { throw ToolError("\(fault). Nothing was imported.") }
    return try names.map {
      try members[ExactText($0)]!.property(
        $0, of: className, records: count, isKey: key?.isExactly($0) ?? false, type: type($0), &classes)
    }
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
