/// The type of the values that a column, or the elements of a collection column, holds.
///
/// The raw values are part of the file format and equal those of the public `PropertyType`.
public enum ValueType: UInt8, Sendable, Hashable {
  case int = 0
  case bool = 1
  case string = 2
  case data = 3
  case date = 4
  case float = 5
  case double = 6
  case link = 7
  case mixed = 9
  case objectId = 10
  case decimal128 = 11
  case uuid = 12
}

/// How many values one row has in a column, and in which structure.
public enum CollectionType: UInt8, Sendable, Hashable {
  case none = 0
  case list = 1
  case set = 2
  case map = 3
}
