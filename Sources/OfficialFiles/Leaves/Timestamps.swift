/// A time since 1970; both parts have the same sign.
struct Timestamp {
  let seconds: Int64
  let nanoseconds: Int32

  /// - Parameter reference: The node that has it.
  init(_ seconds: Int64, _ nanoseconds: Int64, at reference: Int?) throws {
    guard -1_000_000_000 < nanoseconds, nanoseconds < 1_000_000_000 else {
      throw Damage("\(nanoseconds) nanoseconds", at: reference)
    }
    self.seconds = seconds
    self.nanoseconds = Int32(nanoseconds)
  }
}

/// Times: seconds that can be null, and nanoseconds.
struct Timestamps {
  private let seconds: NullableIntegers
  private let nanoseconds: IntegerArray

  init(_ node: Node, _ space: NodeSpace) throws {
    let slots = try References(node)
    guard slots.count >= 2, !node.isInner else { throw node.damage("this is no leaf of dates") }
    seconds = try NullableIntegers(space.node(at: slots.reference(0)))
    nanoseconds = try space.integers(at: slots.reference(1))
    guard nanoseconds.count == seconds.count else {
      throw node.damage("\(seconds.count) seconds with \(nanoseconds.count) nanoseconds")
    }
  }

  var count: Int { seconds.count }
  var isFree: Bool { seconds.isFree }

  /// Nil for null.
  func value(at index: Int) throws -> Timestamp? {
    guard let seconds = seconds[index] else { return nil }
    return try Timestamp(seconds, nanoseconds[index], at: nanoseconds.reference)
  }
}

/// Integers of which the first is the one that stands for null in this leaf.
struct NullableIntegers {
  private let elements: IntegerArray
  private let null: Int64

  init(_ node: Node) throws {
    elements = try IntegerArray(node)
    guard elements.count > 0 else { throw node.damage("numbers without the one that means null") }
    null = elements[0]
  }

  var count: Int { elements.count - 1 }
  var isFree: Bool { elements.isFree }

  subscript(index: Int) -> Int64? {
    let value = elements[index + 1]
    return value == null ? nil : value
  }
}
