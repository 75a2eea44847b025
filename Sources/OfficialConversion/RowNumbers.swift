import OfficialFiles

/// The rows of objects: numbered from 0, in the order of the keys. Most keys are consecutive, so a few runs describe all of them.
struct RowNumbers {
  private var firstKeys: [Int64] = []
  private var firstRows: [Int] = []
  private(set) var count = 0

  init(_ table: OfficialTable) throws {
    var next: Int64?
    try table.forEachBlock { block in
      for row in 0..<block.count {
        let key = block.key(at: row)
        if key != next {
          firstKeys.append(key)
          firstRows.append(count)
        }
        next = key &+ 1
        count += 1
      }
    }
  }

  /// Nil when there is no such object.
  func row(_ key: Int64) -> Int? {
    var low = 0
    var high = firstKeys.count
    while low < high {
      let middle = (low + high) / 2
      if firstKeys[middle] <= key { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let run = low - 1
    let end = run + 1 < firstRows.count ? firstRows[run + 1] : count
    let (distance, overflow) = key.subtractingReportingOverflow(firstKeys[run])
    guard !overflow, distance < Int64(end - firstRows[run]) else { return nil }
    return firstRows[run] + Int(distance)
  }
}

/// The rows of embedded objects that have a parent: each has one.
struct Parents {
  private var words: [UInt64]

  init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  /// False when the row has one already.
  mutating func claim(_ row: Int) -> Bool {
    if has(row) { return false }
    words[row / 64] |= 1 << UInt64(row % 64)
    return true
  }

  func has(_ row: Int) -> Bool { words[row / 64] >> UInt64(row % 64) & 1 == 1 }
}
