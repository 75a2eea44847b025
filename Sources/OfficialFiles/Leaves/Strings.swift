/// A leaf of strings. Which of the four kinds it is, each leaf says itself.
struct Strings {
  private enum Kind {
    case short(ShortStrings)
    case long(Blobs)
    /// Numbers of values that the column has elsewhere.
    case enumerated(IntegerArray)
  }

  private let kind: Kind
  private let form: StringForm
  private let values: Enumeration?

  init(_ node: Node, _ form: StringForm, _ space: NodeSpace, enumeration: Enumeration? = nil) throws {
    self.form = form
    values = enumeration
    if node.hasReferences {
      kind = .long(try Blobs(node, .terminated, form, space))
    } else if node.widthType == .bytes {
      kind = .short(try ShortStrings(node))
    } else if enumeration != nil {
      kind = .enumerated(try IntegerArray(node))
    } else {
      throw node.damage("this is no leaf of strings")
    }
  }

  var count: Int {
    switch kind {
    case .short(let strings): strings.count
    case .long(let blobs): blobs.count
    case .enumerated(let numbers): numbers.count
    }
  }

  var isFree: Bool {
    switch kind {
    case .short(let strings): strings.isFree
    case .long(let blobs): blobs.isFree
    case .enumerated(let numbers): numbers.isFree
    }
  }

  /// Nil for null.
  func bytes(at index: Int) throws -> OfficialBytes? {
    let bytes =
      switch kind {
      case .short(let strings): try strings.bytes(at: index)
      case .long(let blobs): try blobs.bytes(at: index)
      case .enumerated(let numbers): try values?.bytes(at: numbers[index])
      }
    if bytes == nil && form == .oldRequired {
      return OfficialBytes(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return bytes
  }

  /// The bytes of an element at a place that the file names.
  func element(_ index: Int64) throws -> OfficialBytes? {
    guard index >= 0 && index < Int64(count) else {
      throw Damage("there are \(count) strings, and no \(index)")
    }
    return try bytes(at: Int(index))
  }
}

/// The distinct values of an enumerated column of strings, in one leaf or before format 10 in several.
final class Enumeration {
  private let leaves: [Strings]
  private let starts: [Int]
  private let count: Int

  init(_ leaves: [Strings]) {
    self.leaves = leaves
    var count = 0
    var starts: [Int] = []
    for leaf in leaves {
      starts.append(count)
      count += leaf.count
    }
    self.starts = starts
    self.count = count
  }

  func bytes(at index: Int64) throws -> OfficialBytes? {
    guard index >= 0 && index < Int64(count) else {
      throw Damage("an enumeration of \(count) strings has no \(index)")
    }
    let leaf = starts.lastPlace { Int64($0) <= index }
    return try leaves[leaf].bytes(at: Int(index) - starts[leaf])
  }
}

extension [Int] {
  /// The last place of an element for which the condition holds, as it does for the first elements and not for the others.
  func lastPlace(where holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(self[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
