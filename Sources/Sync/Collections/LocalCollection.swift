package import Storage

/// A synchronised set or map as the realm file has it.
package struct LocalCollection: LocalElements, CollectionForm, Sendable, Hashable {
  package var column: Int
  /// Set or map.
  package var kind: CollectionType
  /// The type of its elements on the server; of links, that of the target's key.
  package var element: ServerType
  /// The classes whose objects its elements can link to.
  package var targets: [LinkTarget] = []
  /// The table of the embedded objects that are the values of its entries; nil for values and links.
  package var documents: Int?

  /// Whether its elements can lead to other objects.
  var canLink: Bool { !targets.isEmpty }

  /// Returns an element of a set.
  ///
  /// - Parameter value: The value as the server has it.
  func element(_ value: Value) -> CollectionElement {
    if !isMixedSet { return CollectionElement(identity: value, value: .null) }
    return CollectionElement(identity: value.asServerElement, value: value)
  }

  /// Returns the value of an element, which the collection of the file has.
  func value(of element: CollectionElement) -> Value { hasValues ? element.value : element.identity }

  /// The collection as if it were a property with one of its values.
  var content: LocalProperty { LocalProperty(column: column, type: element, targets: targets) }
}

/// An element of a set, or an entry of a map.
struct CollectionElement: Sendable {
  /// What tells it apart from the others of its owner: the element, or the key.
  var identity: Value
  /// The value of an entry, or of an element of a set of mixed values; null in other sets.
  var value: Value
}

/// What tells an element apart from others on the server: values that it compares as equal are one element.
struct ElementIdentity: Hashable {
  private let value: ExactValue

  init(_ value: Value) { self.value = ExactValue(value.asServerElement) }
}

extension Value {
  /// One value for all that the server compares as equal: dates of one microsecond, zeros of both signs, decimals with and without
  /// trailing zeros; and for all numbers that are one element of a set of mixed values, but for decimals.
  var asServerElement: Value {
    switch self {
    case .date(let seconds): return .date(((try? ServerDate.rounded(seconds)) ?? seconds) + 0)
    case .double(let number):
      if let whole = Int64(exactly: number) { return .int(whole) }
      return .double(number.isNaN ? .nan : number)
    case .float(let number): return Value.double(Double(number)).asServerElement
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
