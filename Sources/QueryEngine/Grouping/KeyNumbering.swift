import Storage

/// The distinct values of a key, numbered in the order in which they are first seen.
protocol KeyNumbering {
  /// The values, each at its number.
  var values: ContiguousArray<Value> { get }

  /// Writes the number of each row's key.
  mutating func number(_ rows: ChunkRows, into numbers: UnsafeMutablePointer<UInt32>)
}

extension KeyNumbering {
  /// Gives each row the number that `assign` has for it, whose argument is whether its key is null.
  @inline(__always) fileprivate static func assign(
    _ rows: ChunkRows, _ chunk: Chunk, into numbers: UnsafeMutablePointer<UInt32>,
    _ assign: (_ position: Int, _ isNull: Bool) -> UInt32
  ) {
    guard chunk.nullBitmap != nil else {
      return rows.forEachRow { number, position in numbers[number] = assign(position, false) }
    }
    rows.forEachRow { number, position in numbers[number] = assign(position, chunk.isNull(position)) }
  }
}

/// Values in the order of their numbers, null among them when there is one.
struct NumberedValues {
  private(set) var values: ContiguousArray<Value> = []
  /// The numbers here of what is numbered elsewhere without null.
  private var numbers: ContiguousArray<UInt32> = []
  private var nullNumber: UInt32?

  var null: UInt32 {
    mutating get {
      if let nullNumber { return nullNumber }
      let number = append(.null)
      nullNumber = number
      return number
    }
  }

  /// The number of a value whose number among those without null is known.
  @inline(__always) mutating func number(_ other: UInt32, _ value: () -> Value) -> UInt32 {
    if Int(other) < numbers.count { return numbers[Int(other)] }
    let number = append(value())
    numbers.append(number)
    return number
  }

  private mutating func append(_ value: Value) -> UInt32 {
    values.append(value)
    return UInt32(values.count - 1)
  }
}

/// Keys that are numbers: integers, Booleans, floating-point numbers and dates, or the periods of those.
struct WordKeys: KeyNumbering {
  private let table: Table
  private let column: Int
  private let type: ValueType
  private let part: DatePart?
  private var words = WordNumbers()
  private var numbered = NumberedValues()
  var values: ContiguousArray<Value> { numbered.values }

  init(_ table: Table, _ column: Int, _ type: ValueType, part: DatePart?) {
    self.table = table
    self.column = column
    self.type = type
    self.part = part
  }

  mutating func number(_ rows: ChunkRows, into numbers: UnsafeMutablePointer<UInt32>) {
    let chunk = table.chunk(column, number: rows.chunk)
    switch chunk.encoding {
    case .integer0 where chunk.nullBitmap == nil:
      let number = number(of: UInt64(bitPattern: chunk.minimumInteger))
      rows.forEachRow { index, _ in numbers[index] = number }
    case .integer1: numberBytes(rows, chunk, into: numbers)
    case .bits:
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        isNull ? numbered.null : number(of: chunk.bit(position) ? 1 : 0)
      }
    case .float32:
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        isNull ? numbered.null : number(of: Self.word(Double(chunk.float(position))))
      }
    case .float64, .scaled0, .scaled1, .scaled2, .scaled4:
      if part != nil { return numberPeriods(rows, chunk, into: numbers) }
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        isNull ? numbered.null : number(of: Self.word(chunk.double(position)))
      }
    default:
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        isNull ? numbered.null : number(of: UInt64(bitPattern: chunk.integer(position)))
      }
    }
  }

  /// Looks each of at most 256 integers up once.
  private mutating func numberBytes(
    _ rows: ChunkRows, _ chunk: Chunk, into numbers: UnsafeMutablePointer<UInt32>
  ) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { known in
      known.initialize(repeating: .max)
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        if isNull { return numbered.null }
        let code = Int(chunk.values.load(fromByteOffset: position, as: UInt8.self))
        if known[code] == .max { known[code] = number(of: UInt64(bitPattern: chunk.integer(position))) }
        return known[code]
      }
    }
  }

  /// Times that follow each other often lie in the same period.
  private mutating func numberPeriods(
    _ rows: ChunkRows, _ chunk: Chunk, into numbers: UnsafeMutablePointer<UInt32>
  ) {
    var period = (start: Double.infinity, end: -Double.infinity)
    var current: UInt32 = 0
    Self.assign(rows, chunk, into: numbers) { position, isNull in
      if isNull { return numbered.null }
      let seconds = chunk.double(position)
      if !(seconds >= period.start && seconds < period.end) {
        period = part!.period(of: seconds)
        current = number(of: Self.word(period.start))
      }
      return current
    }
  }

  @inline(__always) private mutating func number(of word: UInt64) -> UInt32 {
    numbered.number(words.number(of: word)) { [type] in Self.value(word, type) }
  }

  /// Equal numbers have equal words.
  @inline(__always) private static func word(_ number: Double) -> UInt64 {
    (number == 0 ? 0 : number.isNaN ? Double.nan : number).bitPattern
  }

  private static func value(_ word: UInt64, _ type: ValueType) -> Value {
    switch type {
    case .bool: .bool(word != 0)
    case .float: .float(Float(Double(bitPattern: word)))
    case .double: .double(Double(bitPattern: word))
    case .date: .date(Double(bitPattern: word))
    default: .int(Int64(bitPattern: word))
    }
  }
}

/// Keys that are equal when their bytes are: texts, data and identifiers.
struct BytesKeys: KeyNumbering {
  private let table: Table
  private let column: Int
  private var bytes = BytesNumbers()
  private var numbered = NumberedValues()
  var values: ContiguousArray<Value> { numbered.values }

  init(_ table: Table, _ column: Int) {
    self.table = table
    self.column = column
  }

  mutating func number(_ rows: ChunkRows, into numbers: UnsafeMutablePointer<UInt32>) {
    let chunk = table.chunk(column, number: rows.chunk)
    switch chunk.encoding {
    case .dictionary: numberDictionary(rows, chunk, into: numbers)
    case .fixed12:
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        if isNull { return numbered.null }
        return number(
          of: UnsafeRawBufferPointer(start: chunk.fixed12(position), count: 12), rows.row(position))
      }
    case .fixed16:
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        if isNull { return numbered.null }
        return number(
          of: UnsafeRawBufferPointer(start: chunk.fixed16(position), count: 16), rows.row(position))
      }
    default:
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        if isNull { return numbered.null }
        let row = rows.row(position)
        return number(of: table.bytes(column, row), row)
      }
    }
  }

  /// Looks each entry of a dictionary up once.
  private mutating func numberDictionary(
    _ rows: ChunkRows, _ chunk: Chunk, into numbers: UnsafeMutablePointer<UInt32>
  ) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { known in
      known.initialize(repeating: .max)
      Self.assign(rows, chunk, into: numbers) { position, isNull in
        if isNull { return numbered.null }
        let code = Int(chunk.values.load(fromByteOffset: position, as: UInt8.self))
        if known[code] == .max {
          known[code] = number(of: chunk.dictionaryEntry(code), rows.row(position))
        }
        return known[code]
      }
    }
  }

  @inline(__always) private mutating func number(of key: UnsafeRawBufferPointer, _ row: Int) -> UInt32 {
    numbered.number(bytes.number(of: key)) { [table, column] in table.value(column, row) }
  }
}
