/// Values by numbers, or by the identities of objects and types.
///
/// What a dictionary does, whose keys must be hashable: whether those of a type are, the runtime finds out by looking through
/// the conformances of all libraries, when the process makes its first dictionary of them. That takes as long as reading some
/// hundred objects, and opening a first file with such dictionaries would do little else. Here nothing is asked of types.
///
/// The numbers are the program's own: an attacker cannot choose them so that many have the same place.
@frozen public struct NumberTable<Value> {
  // Slots, as many as a power of two or none, of which at least a quarter are free. A number is in the first one from its
  // home on that is not another one's.

  /// The number of each slot that is not free.
  @usableFromInline var numbers: ContiguousArray<Int>
  /// Its value; nil in free slots.
  @usableFromInline var members: ContiguousArray<Value?>
  @usableFromInline var memberCount: Int

  /// An empty table.
  @inlinable
  public init() {
    numbers = []
    members = []
    memberCount = 0
  }

  /// Whether it has no values.
  @inlinable
  public var isEmpty: Bool { memberCount == 0 }
  /// How many values it has.
  @inlinable
  public var count: Int { memberCount }

  /// The values, in any order.
  @inlinable
  public var values: ContiguousArray<Value> {
    var values: ContiguousArray<Value> = []
    values.reserveCapacity(memberCount)
    for slot in 0..<members.count { if let member = members[slot] { values.append(member) } }
    return values
  }

  /// The value of a number; nil when there is none.
  @inlinable
  public subscript(_ number: Int) -> Value? {
    get { slot(of: number).flatMap { members[$0] } }
    set {
      if let newValue {
        members[slot(of: number) ?? takeSlot(for: number)] = newValue
      } else {
        _ = removeValue(for: number)
      }
    }
  }

  /// The value of the identity of an object or a type; nil when there is none.
  @inlinable
  public subscript(_ identity: ObjectIdentifier) -> Value? {
    get { self[Int(bitPattern: identity)] }
    set { self[Int(bitPattern: identity)] = newValue }
  }

  /// The value of a number, or another one, which is put there when it is changed.
  @inlinable
  public subscript(_ number: Int, default value: @autoclosure () -> Value) -> Value {
    get { self[number] ?? value() }
    _modify {
      var place = slot(of: number)
      if place == nil {
        place = takeSlot(for: number)
        members[place!] = value()
      }
      yield &members[place!]!
    }
  }

  /// Removes the value of a number, and returns it.
  @inlinable
  public mutating func removeValue(for number: Int) -> Value? {
    guard var free = slot(of: number) else { return nil }
    let removed = members[free]
    members[free] = nil
    memberCount -= 1
    // What follows moves up, unless it would come before its home.
    var slot = next(free)
    while let member = members[slot] {
      if distance(from: home(numbers[slot]), to: slot) >= distance(from: free, to: slot) {
        numbers[free] = numbers[slot]
        members[free] = member
        members[slot] = nil
        free = slot
      }
      slot = next(slot)
    }
    return removed
  }

  // MARK: Slots

  /// Where the search for a number begins. Multiplying spreads addresses, and numbers that are given out one after the other.
  @inlinable @inline(__always)
  func home(_ number: Int) -> Int {
    let product = UInt(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    return Int(product >> UInt(UInt.bitWidth - numbers.count.trailingZeroBitCount))
  }

  @inlinable @inline(__always)
  func next(_ slot: Int) -> Int { (slot + 1) & (numbers.count - 1) }

  @inlinable @inline(__always)
  func distance(from first: Int, to second: Int) -> Int { (second - first) & (numbers.count - 1) }

  @inlinable
  func slot(of number: Int) -> Int? {
    if memberCount == 0 { return nil }
    var slot = home(number)
    while members[slot] != nil {
      if numbers[slot] == number { return slot }
      slot = next(slot)
    }
    return nil
  }

  /// The slot of a number that is not there, in which a value is to be put.
  @inlinable
  mutating func takeSlot(for number: Int) -> Int {
    if (memberCount + 1) * 4 > numbers.count * 3 { grow() }
    var slot = home(number)
    while members[slot] != nil { slot = next(slot) }
    numbers[slot] = number
    memberCount += 1
    return slot
  }

  @inlinable
  mutating func grow() {
    let (oldNumbers, oldMembers) = (numbers, members)
    let size = max(4, oldNumbers.count * 2)
    numbers = ContiguousArray(repeating: 0, count: size)
    members = ContiguousArray(repeating: nil, count: size)
    memberCount = 0
    // What goes through two collections at once would ask for what they conform to.
    for slot in 0..<oldMembers.count {
      if let member = oldMembers[slot] { members[takeSlot(for: oldNumbers[slot])] = member }
    }
  }
}

extension NumberTable: Sendable where Value: Sendable {}
