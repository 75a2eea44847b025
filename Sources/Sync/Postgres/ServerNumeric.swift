import Storage

/// Decimals as PostgreSQL's type `numeric` holds them: digits to the base 10,000.
///
/// A decimal of a realm file fits exactly: its digits, and the number of its decimals as the scale. `numeric` has no
/// negative zero, no exponents above 0, and one NaN.
enum ServerNumeric {
  private static let (positive, negative): (UInt16, UInt16) = (0x0000, 0x4000)
  private static let notANumber: UInt16 = 0xC000
  private static let (positiveInfinity, negativeInfinity): (UInt16, UInt16) = (0xD000, 0xF000)

  /// Number of decimal digits that a decimal of a realm file has.
  private static let precision = 34
  private static let exponents = -6176...6111
  /// Smallest number with too many digits.
  static let limit: UInt128 = powerOfTen(34)

  /// Appends a decimal with its length in front.
  static func append(_ decimal: Fixed16, to bytes: EncodedBytes) {
    let parts = DecimalParts(decimal)
    let isNegative = parts.isNegative
    switch parts.kind {
    case .notANumber: return append(digits: [], weight: 0, sign: notANumber, scale: 0, to: bytes)
    case .infinity:
      let sign = isNegative ? negativeInfinity : positiveInfinity
      return append(digits: [], weight: 0, sign: sign, scale: 0, to: bytes)
    case .finite: break
    }
    guard parts.coefficient != 0 else {
      // A zero of 6,176 decimals is what a new column holds; they would all be shown.
      let scale = -precision...0 ~= parts.exponent ? -parts.exponent : 0
      return append(digits: [], weight: 0, sign: positive, scale: scale, to: bytes)
    }
    // The exponent is made a multiple of four.
    let groups = floorDivision(parts.exponent, by: 4)
    var rest = parts.coefficient * powerOfTen(parts.exponent - 4 * groups)
    var digits: [UInt16] = []
    while rest != 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10_000)
      digits.append(UInt16(digit))
      rest = quotient
    }
    let weight = groups + digits.count - 1
    digits.reverse()
    while digits.last == 0 { digits.removeLast() }
    append(
      digits: digits, weight: weight, sign: isNegative ? negative : positive,
      scale: max(0, -parts.exponent), to: bytes)
  }

  private static func append(digits: [UInt16], weight: Int, sign: UInt16, scale: Int, to bytes: EncodedBytes)
  {
    bytes.append(Int32(8 + 2 * digits.count))
    bytes.append(UInt16(digits.count))
    bytes.append(Int16(weight))
    bytes.append(sign)
    bytes.append(UInt16(scale))
    for digit in digits { bytes.append(digit) }
  }

  /// The decimal in a field: the nearest one of 34 digits, ties to even; an infinity beyond the greatest one.
  static func decimal(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) -> Fixed16 {
    let damaged = PostgresError("The server sent a damaged number.")
    guard bytes.count >= 8 else { throw damaged }
    func word(_ index: Int) -> UInt16 {
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
    }
    let count = Int(word(0))
    guard bytes.count == 8 + 2 * count else { throw damaged }
    let weight = Int(Int16(bitPattern: word(1)))
    let sign = word(2)
    let scale = Int(word(3) & 0x3FFF)
    switch sign {
    case notANumber: return DecimalParts.notANumber
    case positiveInfinity, negativeInfinity:
      return DecimalParts.infinity(isNegative: sign == negativeInfinity)
    case positive, negative: break
    default: throw damaged
    }
    var number = LongDecimal(exponent: 4 * (weight - count + 1))
    for index in 0..<count {
      let digit = word(4 + index)
      guard digit < 10_000 else { throw damaged }
      number.append(digit)
    }
    return number.decimal(isNegative: sign == negative, preferredExponent: -scale)
  }

  /// 10 to a power of at most 38.
  static func powerOfTen(_ power: Int) -> UInt128 { powersOfTen[power] }

  private static let powersOfTen: [UInt128] = {
    var powers: [UInt128] = [1]
    for _ in 1...38 { powers.append(powers.last! * 10) }
    return powers
  }()

  private static func floorDivision(_ number: Int, by divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  /// Divides by a power of ten, ties to even; `hasMore` says that digits below follow that are not all zero.
  private static func dividing(_ number: UInt128, byPowerOfTen power: Int, hasMore: Bool) -> UInt128 {
    guard power <= 38 else { return 0 }
    let divisor = powerOfTen(power)
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    let half = divisor / 2
    return rest > half || rest == half && (hasMore || quotient % 2 == 1) ? quotient + 1 : quotient
  }

  /// A number whose digits arrive in groups of four: 35 digits or more exactly, of the others whether all are zero.
  private struct LongDecimal {
    private var coefficient: UInt128 = 0
    /// The exponent of the coefficient's last digit, when all digits have arrived.
    private var exponent: Int
    private var hasMore = false

    /// - Parameter exponent: The exponent of the last digit that will arrive.
    init(exponent: Int) { self.exponent = exponent }

    mutating func append(_ digit: UInt16) {
      if coefficient < ServerNumeric.limit {
        coefficient = coefficient * 10_000 + UInt128(digit)
      } else {
        hasMore = hasMore || digit != 0
        exponent += 4
      }
    }

    /// The nearest decimal, with the exponent that is next to the preferred one.
    func decimal(isNegative: Bool, preferredExponent: Int) -> Fixed16 {
      guard coefficient != 0 else {
        return DecimalParts.encode(0, exponent: max(preferredExponent, -precision))
      }
      let range = ServerNumeric.exponents
      var (coefficient, exponent) = (coefficient, exponent)
      // Digits beyond the precision or below the smallest exponent are rounded away at once.
      var dropped = 0
      while coefficient / ServerNumeric.powerOfTen(dropped) >= ServerNumeric.limit { dropped += 1 }
      dropped = max(dropped, range.lowerBound - exponent)
      if dropped > 0 {
        coefficient = ServerNumeric.dividing(coefficient, byPowerOfTen: dropped, hasMore: hasMore)
        exponent += dropped
        if coefficient == ServerNumeric.limit { (coefficient, exponent) = (coefficient / 10, exponent + 1) }
      }
      while exponent < preferredExponent, coefficient != 0, coefficient % 10 == 0 {
        (coefficient, exponent) = (coefficient / 10, exponent + 1)
      }
      let lowest = max(preferredExponent, range.lowerBound)
      while exponent > lowest, coefficient * 10 < ServerNumeric.limit {
        (coefficient, exponent) = (coefficient * 10, exponent - 1)
      }
      guard exponent <= range.upperBound else { return DecimalParts.infinity(isNegative: isNegative) }
      return DecimalParts.encode(coefficient, exponent: exponent, isNegative: isNegative)
    }
  }
}

/// What a decimal of a realm file consists of.
struct DecimalParts {
  enum Kind { case finite, infinity, notANumber }

  let kind: Kind
  let isNegative: Bool
  let coefficient: UInt128
  let exponent: Int

  private static let bias = 6176

  init(_ decimal: Fixed16) {
    let (low, high) = (decimal.high.byteSwapped, decimal.low.byteSwapped)
    isNegative = high >> 63 == 1
    switch high >> 58 & 0x1F {
    case 0x1F: kind = .notANumber
    case 0x1E: kind = .infinity
    default: kind = .finite
    }
    // The other form of a coefficient only has room for ones with too many digits, which count as zero.
    let isOtherForm = high >> 61 & 3 == 3
    exponent = Int(high >> (isOtherForm ? 47 : 49) & 0x3FFF) - Self.bias
    let number = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
    coefficient = isOtherForm || number >= ServerNumeric.limit ? 0 : number
  }

  /// The decimal with a coefficient below 10³⁴ and an exponent in the format's range.
  static func encode(_ coefficient: UInt128, exponent: Int, isNegative: Bool = false) -> Fixed16 {
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    let high = sign | UInt64(exponent + bias) << 49 | UInt64(truncatingIfNeeded: coefficient >> 64)
    return Fixed16(high: UInt64(truncatingIfNeeded: coefficient).byteSwapped, low: high.byteSwapped)
  }

  static func infinity(isNegative: Bool) -> Fixed16 {
    Fixed16(high: 0, low: (UInt64(isNegative ? 0xF800 : 0x7800) << 48).byteSwapped)
  }

  static let notANumber = Fixed16(high: 0, low: (UInt64(0x7C00) << 48).byteSwapped)
}
