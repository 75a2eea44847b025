/// The values in one leaf, read one by one where they lie.
enum Leaf {
  case integers(IntegerArray)
  case nullableIntegers(NullableIntegers)
  case booleans(IntegerArray)
  case oldBooleans(NullableIntegers)
  case strings(Strings)
  case data(Blobs)
  case floats(FloatingPoints)
  case doubles(FloatingPoints)
  case timestamps(Timestamps)
  case seconds(IntegerArray)
  case nullableSeconds(NullableIntegers)
  case decimals(Decimals)
  case objectIds(FixedBytes)
  case uuids(FixedBytes)
  case mixed(MixedValues)
  case links(IntegerArray, shift: Int64, ValueContext)

  /// - Parameter depth: How many collections the values are in.
  init(_ node: Node, _ layout: LeafLayout, _ context: ValueContext, depth: Int) throws {
    let space = context.space
    switch layout {
    case .integers(false): self = .integers(try IntegerArray(node))
    case .integers(true): self = .nullableIntegers(try NullableIntegers(node))
    case .booleans, .oldBooleans(false): self = .booleans(try IntegerArray(node))
    case .oldBooleans(true): self = .oldBooleans(try NullableIntegers(node))
    case .oldDates(false): self = .seconds(try IntegerArray(node))
    case .oldDates(true): self = .nullableSeconds(try NullableIntegers(node))
    case .strings(let form, let enumeration):
      self = .strings(try Strings(node, form, space, enumeration: enumeration))
    case .data(let form): self = .data(try Blobs(node, .data, form, space))
    case .floats(let isNullable):
      self = .floats(try FloatingPoints(node, size: 4, isNullable: isNullable))
    case .doubles(let isNullable):
      self = .doubles(try FloatingPoints(node, size: 8, isNullable: isNullable))
    case .timestamps: self = .timestamps(try Timestamps(node, space))
    case .decimals: self = .decimals(try Decimals(node))
    case .objectIds: self = .objectIds(try FixedBytes(node, size: 12))
    case .uuids: self = .uuids(try FixedBytes(node, size: 16))
    case .mixed: self = .mixed(try MixedValues(node, context, depth: depth))
    case .links(let shift): self = .links(try IntegerArray(node), shift: shift, context)
    }
  }

  var count: Int {
    switch self {
    case .integers(let array), .booleans(let array), .seconds(let array), .links(let array, _, _): array.count
    case .nullableIntegers(let array), .oldBooleans(let array), .nullableSeconds(let array): array.count
    case .strings(let strings): strings.count
    case .data(let blobs): blobs.count
    case .floats(let numbers), .doubles(let numbers): numbers.count
    case .timestamps(let timestamps): timestamps.count
    case .decimals(let decimals): decimals.count
    case .objectIds(let ids), .uuids(let ids): ids.count
    case .mixed(let values): values.count
    }
  }

  /// Whether the values need no bytes: any number of them could be claimed.
  var isFree: Bool {
    switch self {
    case .integers(let array), .booleans(let array), .seconds(let array), .links(let array, _, _):
      array.isFree
    case .nullableIntegers(let array), .oldBooleans(let array), .nullableSeconds(let array): array.isFree
    case .strings(let strings): strings.isFree
    case .data(let blobs): blobs.isFree
    case .timestamps(let timestamps): timestamps.isFree
    case .decimals(let decimals): decimals.isFree
    case .mixed(let values): values.isFree
    case .floats, .doubles, .objectIds, .uuids: false
    }
  }

  func value(at index: Int) throws -> OfficialValue {
    switch self {
    case .integers(let array): .int(array[index])
    case .nullableIntegers(let array): array[index].map(OfficialValue.int) ?? .null
    case .booleans(let array): try Self.boolean(array[index], array)
    case .oldBooleans(let array): array[index].map { .bool($0 != 0) } ?? .null
    case .strings(let strings): try strings.bytes(at: index).map(OfficialValue.string) ?? .null
    case .data(let blobs): try blobs.bytes(at: index).map(OfficialValue.data) ?? .null
    case .floats(let numbers): numbers.bits(at: index).map(OfficialValue.init(floatBits:)) ?? .null
    case .doubles(let numbers): numbers.bits(at: index).map(OfficialValue.init(doubleBits:)) ?? .null
    case .timestamps(let timestamps): try timestamps.value(at: index).map(OfficialValue.init) ?? .null
    case .seconds(let array): .date(seconds: array[index], nanoseconds: 0)
    case .nullableSeconds(let array): array[index].map { .date(seconds: $0, nanoseconds: 0) } ?? .null
    case .decimals(let decimals): decimals.value(at: index).map(OfficialValue.init) ?? .null
    case .objectIds(let ids): ids.bytes(at: index).map(OfficialValue.objectId) ?? .null
    case .uuids(let ids): ids.bytes(at: index).map(OfficialValue.uuid) ?? .null
    case .mixed(let values): try values.value(at: index)
    case .links(let array, let shift, let context): try context.link(to: array[index] &- shift)
    }
  }

  private static func boolean(_ value: Int64, _ array: IntegerArray) throws -> OfficialValue {
    switch value {
    case 0: .bool(false)
    case 1: .bool(true)
    case 3: .null
    default: throw array.damage("a truth value of \(value)")
    }
  }
}
