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
