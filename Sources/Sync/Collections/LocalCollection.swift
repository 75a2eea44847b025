package import Storage

/// A synchronised set or map as the realm file has it.
package struct LocalCollection: Sendable, Hashable {
  package var column: Int
  /// Set or map.
  package var kind: CollectionType
  /// The type of its elements on the server.
  package var element: ServerType
}

/// An element of a set, or an entry of a map.
struct CollectionElement: Sendable {
  /// What tells it apart from the others of its owner: the element, or the key.
  var identity: Value
  /// The value of an entry; null in a set.
  var value: Value
}

// Elements in the realm file.
extension LocalCollection {
  /// The positions of what is one element to the server: at most one, but for dates of one microsecond, which are beside each
  /// other.
  private func positions(of identity: Value, row: Int, in table: Table) -> Range<Int> {
    if kind == .map {
      guard case .string(let key) = identity else { return 0..<0 }
      let result = table.position(column, row, ofKey: key)
      return result.position..<result.position + (result.isFound ? 1 : 0)
    }
    let result = table.position(column, row, ofElement: identity)
    var range = result.position..<result.position + (result.isFound ? 1 : 0)
    if element != .timestamp { return range }
    let wanted = ElementIdentity(identity)
    func isWanted(_ position: Int) -> Bool {
      ElementIdentity(table.element(column, row, at: position)) == wanted
    }
    while range.lowerBound > 0, isWanted(range.lowerBound - 1) {
      range = range.lowerBound - 1..<range.upperBound
    }
    while range.upperBound < table.count(column, row), isWanted(range.upperBound) {
      range = range.lowerBound..<range.upperBound + 1
    }
    return range
  }

  /// Returns an element; nil when the collection of a row does not have it.
  func find(_ identity: Value, row: Int, in table: Table) -> CollectionElement? {
    let positions = positions(of: identity, row: row, in: table)
    return positions.isEmpty ? nil : element(at: positions.lowerBound, row: row, in: table)
  }

  /// Whether a row's collection has an element as the server has it.
  func has(_ wanted: CollectionElement, row: Int, in table: Table) -> Bool {
    let positions = positions(of: wanted.identity, row: row, in: table)
    guard positions.count == 1 else { return false }
    let here = element(at: positions.lowerBound, row: row, in: table)
    // Only dates are rounded by the server.
    return here.value.isExactly(wanted.value)
      && (element != .timestamp || here.identity.isExactly(wanted.identity))
  }

  private func element(at position: Int, row: Int, in table: Table) -> CollectionElement {
    let element = table.element(column, row, at: position)
    return kind == .map
      ? CollectionElement(identity: .string(table.key(column, row, at: position)), value: element)
      : CollectionElement(identity: element, value: .null)
  }

  /// Returns all elements of a row's collection.
  func elements(row: Int, in table: Table) -> [CollectionElement] {
    (0..<table.count(column, row)).map { element(at: $0, row: row, in: table) }
  }

  /// Adds an element as the server has it, or writes the value of an entry.
  func set(_ wanted: CollectionElement, row: Int, in table: Table) {
    if kind == .map, case .string(let key) = wanted.identity {
      table.setMapValue(column, row, key: key, wanted.value)
    } else {
      remove(wanted.identity, row: row, in: table)
      table.insertIntoSet(column, row, wanted.identity)
    }
  }

  func remove(_ identity: Value, row: Int, in table: Table) {
    let positions = positions(of: identity, row: row, in: table)
    if !positions.isEmpty { table.removeElements(column, row, positions) }
  }
}

/// What tells an element apart from others on the server: values that it compares as equal are one element.
struct ElementIdentity: Hashable {
  private let value: ExactValue

  init(_ value: Value) { self.value = ExactValue(value.asServerElement) }
}

extension Value {
  /// One value for all that the server compares as equal: dates of one microsecond, zeros of both signs, decimals with and without
  /// trailing zeros.
  fileprivate var asServerElement: Value {
    switch self {
    case .date(let seconds): return .date(((try? ServerDate.rounded(seconds)) ?? seconds) + 0)
    case .double(let number): return .double(number.isNaN ? .nan : number + 0)
    case .float(let number): return .float(number.isNaN ? .nan : number + 0)
    case .decimal128(let decimal): return .decimal128(decimal.asServerElement)
    default: return self
    }
  }
}

extension Fixed16 {
  /// The decimal without trailing zeros: `numeric` compares 1.0 and 1.00 as equal.
  fileprivate var asServerElement: Fixed16 {
    let parts = DecimalParts(self)
    switch parts.kind {
    case .notANumber: return DecimalParts.notANumber
    case .infinity: return DecimalParts.infinity(isNegative: parts.isNegative)
    case .finite: break
    }
    if parts.coefficient == 0 { return DecimalParts.encode(0, exponent: 0) }
    var (coefficient, exponent) = (parts.coefficient, parts.exponent)
    while exponent < Self.greatestExponent, coefficient % 10 == 0 {
      coefficient /= 10
      exponent += 1
    }
    return DecimalParts.encode(coefficient, exponent: exponent, isNegative: parts.isNegative)
  }

  private static let greatestExponent = 6111
}
