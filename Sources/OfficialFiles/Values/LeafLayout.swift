/// How the values of a column, or the elements of its collections, lie in their leaves.
enum LeafLayout {
  case integers(isNullable: Bool)
  case booleans
  case strings(StringForm, Enumeration?)
  case data(StringForm)
  case floats(isNullable: Bool)
  case doubles(isNullable: Bool)
  case timestamps
  case decimals
  case objectIds
  case uuids
  case mixed
  /// Keys of objects and what was added to them.
  case links(shift: Int64)
  /// Before format 10: null is said as with integers.
  case oldBooleans(isNullable: Bool)
  /// Before format 10: seconds.
  case oldDates(isNullable: Bool)

  /// Of formats from 10 on.
  /// - Parameter isElement: Whether they are elements of a collection.
  init(_ type: OfficialType, isNullable: Bool, isElement: Bool, enumeration: Enumeration?) {
    switch type {
    case .int: self = .integers(isNullable: isNullable)
    case .bool: self = .booleans
    case .string: self = .strings(.current, isElement ? nil : enumeration)
    case .data: self = .data(.current)
    case .mixed: self = .mixed
    case .date: self = .timestamps
    case .float: self = .floats(isNullable: isNullable)
    case .double: self = .doubles(isNullable: isNullable)
    case .decimal: self = .decimals
    case .link: self = .links(shift: isElement ? 0 : 1)
    case .objectId: self = .objectIds
    case .uuid: self = .uuids
    }
  }

  /// Whether values are links, which are left out of collections when they lead nowhere.
  var isLinks: Bool { if case .links = self { true } else { false } }
}
