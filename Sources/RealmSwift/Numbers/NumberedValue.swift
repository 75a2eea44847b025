package import Storage

/// A value on its way into a realm, whose bytes are borrowed from the caller until the call returns.
///
/// It holds no references, so that passing thousands of them costs no counting.
package enum NumberedValue {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  /// UTF-8, not yet validated.
  case string(UnsafeRawBufferPointer)
  case data(UnsafeRawBufferPointer)
  /// Seconds since the reference date, 2001-01-01.
  case date(Double)
  case objectId(Fixed12)
  case decimal128(Fixed16)
  case uuid(Fixed16)
  case object(NumberedObject)
  /// An empty nested list of a mixed value.
  case list
  /// An empty nested map of a mixed value.
  case map
}

/// An object by the numbers of its table and row.
package struct NumberedObject: Hashable, Sendable {
  package var classNumber: Int
  package var row: Int

  package init(classNumber: Int, row: Int) {
    self.classNumber = classNumber
    self.row = row
  }
}

/// Properties with the values that they are to get, as many of each; borrowed from the caller.
package struct NumberedValues {
  package let columns: UnsafeBufferPointer<Int32>
  package let values: UnsafeBufferPointer<NumberedValue>

  package init(columns: UnsafeBufferPointer<Int32>, values: UnsafeBufferPointer<NumberedValue>) {
    self.columns = columns
    self.values = values
  }

  /// The value of a property; nil when it is not given.
  func value(of column: Int) -> NumberedValue? {
    for index in 0..<columns.count where Int(columns[index]) == column { return values[index] }
    return nil
  }
}
