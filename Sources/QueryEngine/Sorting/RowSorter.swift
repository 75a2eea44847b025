import Storage

/// Sorts rows by several keys.
///
/// One digit at a time: entries are sorted by the first digit of the first key, then each run of equal ones by the
/// next digit, and so on; short runs are finished by comparison. The order of rows that are equal in everything is
/// kept.
struct RowSorter {
  private let columns: [SortColumn]
  private let count: Int
  /// Only this many of the first rows must be right.
  private let limit: Int

  init(_ keys: [SortKey], rows: [Int], table: Table, limit: Int? = nil) {
    columns = keys.map { SortColumn($0, rows: rows, table: table) }
    count = rows.count
    self.limit = min(limit ?? .max, rows.count)
  }

  private struct Entry {
    var key: UInt64
    var position: UInt32
  }
  private typealias Entries = UnsafeMutablePointer<Entry>

  /// The positions of the rows in sorted order.
  func positions() -> [Int] {
    precondition(count < Int(UInt32.max))
    let entries = Entries.allocate(capacity: count)
    let spare = Entries.allocate(capacity: count)
    defer {
      entries.deallocate()
      spare.deallocate()
    }
    for position in 0..<count {
      (entries + position).initialize(to: Entry(key: 0, position: UInt32(position)))
    }
    sort(entries, spare, 0, count, column: 0, digit: 0)
    return (0..<limit).map { Int(entries[$0].position) }
  }

  private func order(_ a: Int, _ b: Int, from column: Int) -> Int {
    for column in columns[column...] {
      let order = column.order(a, b)
      if order != 0 { return order }
    }
    return 0
  }

  // MARK: Runs

  private func sort(
    _ entries: Entries, _ spare: Entries, _ low: Int, _ high: Int, column: Int, digit: Int
  ) {
    var (column, digit) = (column, digit)
    while high - low > 1 && column < columns.count {
      if high - low <= 20 { return insertionSort(entries, low, high, column) }
      let isLast = loadKeys(entries, low, high, column, digit)
      sortKeys(entries, spare, low, high)
      (column, digit) = isLast ? (column + 1, 0) : (column, digit + 1)
      if entries[low].key == entries[high - 1].key { continue }
      var start = low
      while start < high && start < limit {
        var end = start + 1
        while end < high && entries[end].key == entries[start].key { end += 1 }
        if end - start > 1 { sort(entries, spare, start, end, column: column, digit: digit) }
        start = end
      }
      return
    }
  }

  /// Sets the entries' keys to a digit of a column. Returns whether that was the column's last.
  private func loadKeys(_ entries: Entries, _ low: Int, _ high: Int, _ number: Int, _ digit: Int) -> Bool {
    let column = columns[number]
    let flip = column.flip
    if digit < column.digits.count {
      column.digits[digit].withUnsafeBufferPointer { digits in
        for index in low..<high { entries[index].key = digits[Int(entries[index].position)] ^ flip }
      }
      return digit == column.digits.count - 1 && column.text == nil
    }
    guard let text = column.text else { return true }
    let word = digit - column.digits.count
    var longest = 0
    for index in low..<high {
      let position = Int(entries[index].position)
      entries[index].key = text.word(position, word) ^ flip
      longest = max(longest, text.bytes(position).count)
    }
    if longest > word * 8 { return false }
    // Strings that differ only in zeros at their end are distinguished by their lengths.
    for index in low..<high {
      entries[index].key = UInt64(text.bytes(Int(entries[index].position)).count) ^ flip
    }
    return true
  }

  private func insertionSort(_ entries: Entries, _ low: Int, _ high: Int, _ column: Int) {
    for index in low + 1..<high {
      let entry = entries[index]
      var hole = index
      while hole > low {
        let order = order(Int(entry.position), Int(entries[hole - 1].position), from: column)
        if order > 0 || order == 0 && entry.position > entries[hole - 1].position { break }
        entries[hole] = entries[hole - 1]
        hole -= 1
      }
      entries[hole] = entry
    }
  }

  // MARK: One digit

  private func sortKeys(_ entries: Entries, _ spare: Entries, _ low: Int, _ high: Int) {
    if high - low > 256 {
      radixSort(entries + low, spare + low, high - low)
    } else {
      quickSort(entries, low, high - 1)
    }
  }

  /// Byte by byte from the least significant, without those that are equal everywhere.
  private func radixSort(_ entries: Entries, _ spare: Entries, _ count: Int) {
    var union: UInt64 = 0
    var intersection: UInt64 = ~0
    for index in 0..<count {
      union |= entries[index].key
      intersection &= entries[index].key
    }
    let varying = union ^ intersection
    var (from, to) = (entries, spare)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
      for byte in 0..<8 where (varying >> UInt64(byte * 8)) & 0xFF != 0 {
        let shift = UInt64(byte * 8)
        places.update(repeating: 0)
        for index in 0..<count { places[Int((from[index].key >> shift) & 0xFF)] &+= 1 }
        var place = 0
        for value in 0..<256 {
          let occurrences = places[value]
          places[value] = place
          place += occurrences
        }
        for index in 0..<count {
          let value = Int((from[index].key >> shift) & 0xFF)
          to[places[value]] = from[index]
          places[value] &+= 1
        }
        swap(&from, &to)
      }
    }
    if from != entries { entries.update(from: from, count: count) }
  }

  /// Positions make all entries different, so equal keys stay in order.
  private func quickSort(_ entries: Entries, _ first: Int, _ last: Int) {
    func precedes(_ a: Entry, _ b: Entry) -> Bool {
      a.key < b.key || a.key == b.key && a.position < b.position
    }
    var (first, last) = (first, last)
    while last - first > 12 {
      let (a, b, c) = (entries[first], entries[(first + last) / 2], entries[last])
      let pivot =
        precedes(a, b)
        ? (precedes(b, c) ? b : precedes(a, c) ? c : a) : (precedes(a, c) ? a : precedes(b, c) ? c : b)
      var (left, right) = (first, last)
      while left <= right {
        while precedes(entries[left], pivot) { left += 1 }
        while precedes(pivot, entries[right]) { right -= 1 }
        if left <= right {
          (entries[left], entries[right]) = (entries[right], entries[left])
          left += 1
          right -= 1
        }
      }
      // The shorter part recursively, the longer one in the loop.
      if right - first < last - left {
        quickSort(entries, first, right)
        first = left
      } else {
        quickSort(entries, left, last)
        last = right
      }
    }
    guard first < last else { return }
    for index in first + 1...last {
      let entry = entries[index]
      var hole = index
      while hole > first && precedes(entry, entries[hole - 1]) {
        entries[hole] = entries[hole - 1]
        hole -= 1
      }
      entries[hole] = entry
    }
  }
}
