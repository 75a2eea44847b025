public import COpenRealm
import QueryEngine
import RealmSwift

// queries.h: queries, order, aggregates and groups.

/// The arguments of a query.
private func checkedArguments(
  _ count: Int, _ arguments: UnsafePointer<openrealm_value>?
) throws(Refusal) -> [NumberedArgument] {
  try Number.check(count)
  if count == 0 { return [] }
  guard let arguments else { throw .null }
  var values: [NumberedArgument] = []
  for index in 0..<count {
    let argument = arguments[index]
    values.append(
      Int(argument.type) == Int(OPENREALM_REGION)
        ? .region(try GeographicRegion(at: argument.as.region)) : .value(try NumberedValue(argument)))
  }
  return values
}

extension GeographicRegion {
  /// The region at an address that may be NULL.
  fileprivate init(at place: UnsafePointer<openrealm_region>?) throws(Refusal) {
    guard let shape = place?.pointee.shape, let shapes = place?.pointee.as else { throw .null }
    switch Int(shape) {
    case Int(OPENREALM_CIRCLE):
      self = .circle(center: GeographicPoint(shapes.circle.center), radius: shapes.circle.radius)
    case Int(OPENREALM_BOX):
      self = .box(
        southWest: GeographicPoint(shapes.box.south_west), northEast: GeographicPoint(shapes.box.north_east))
    case Int(OPENREALM_POLYGON):
      self = .polygon(try Self.rings(shapes.polygon.rings, shapes.polygon.ring_count))
    default: throw Refusal(.badArgument, "A region has the unknown shape \(shape).")
    }
  }

  private static func rings(
    _ rings: UnsafePointer<openrealm_ring>?, _ count: Int
  ) throws(Refusal) -> [[GeographicPoint]] {
    try Number.check(count)
    if count == 0 { return [] }
    guard let rings else { throw .null }
    var copies: [[GeographicPoint]] = []
    for index in 0..<count {
      let ring = rings[index]
      try Number.check(ring.count)
      if ring.points == nil && ring.count != 0 { throw .null }
      copies.append(UnsafeBufferPointer(start: ring.points, count: ring.count).map { GeographicPoint($0) })
    }
    return copies
  }
}

extension GeographicPoint {
  fileprivate init(_ point: openrealm_point) {
    self.init(latitude: point.latitude, longitude: point.longitude)
  }
}

@c @implementation public func openrealm_filter(
  _ collection: OpaquePointer?, _ query: UnsafePointer<CChar>?, _ count: Int,
  _ arguments: UnsafePointer<openrealm_value>?
) -> OpaquePointer? {
  derive(collection) { collection throws(Refusal) in
    try collection.filter(checkedText(query), checkedArguments(count, arguments))
  }
}

@c @implementation public func openrealm_query_check(
  _ realm: OpaquePointer?, _ number: Int32, _ query: UnsafePointer<CChar>?, _ count: Int,
  _ arguments: UnsafePointer<openrealm_value>?
) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in
      try realm.numbered.checkQuery(
        checkedText(query), checkedArguments(count, arguments), for: Int(number))
    }
  }
}

@c @implementation public func openrealm_explain(
  _ results: OpaquePointer?, _ text: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  read(results, text) { results throws(Refusal) in try openrealm_value(text: results.explanation()) }
}

@c @implementation public func openrealm_sort(
  _ collection: OpaquePointer?, _ count: Int, _ keys: UnsafePointer<openrealm_sort_key>?
) -> OpaquePointer? {
  derive(collection) { collection throws(Refusal) in
    try Number.check(count)
    if keys == nil && count != 0 { throw .null }
    var descriptors: [SortDescriptor] = []
    for index in 0..<count {
      let key = keys.unsafelyUnwrapped + index
      descriptors.append(
        SortDescriptor(keyPath: try checkedText(key.pointee.key_path), ascending: !key.isDescending))
    }
    return try collection.sorted(by: descriptors)
  }
}

extension UnsafePointer<openrealm_sort_key> {
  /// Read as a byte: a program may have put any there, and Swift's Boolean has two values only.
  fileprivate var isDescending: Bool {
    UnsafeRawPointer(self).load(
      fromByteOffset: MemoryLayout<openrealm_sort_key>.offset(of: \.descending)!, as: UInt8.self) != 0
  }
}

@c @implementation public func openrealm_distinct(
  _ collection: OpaquePointer?, _ count: Int, _ keyPaths: UnsafePointer<UnsafePointer<CChar>?>?
) -> OpaquePointer? {
  derive(collection) { collection throws(Refusal) in
    try collection.distinct(by: Text.readAll(keyPaths, count))
  }
}

@c @implementation public func openrealm_ranked(
  _ collection: OpaquePointer?, _ count: Int, _ keyPaths: UnsafePointer<UnsafePointer<CChar>?>?,
  _ text: UnsafePointer<CChar>?
) -> OpaquePointer? {
  derive(collection) { collection throws(Refusal) in
    try collection.ranked(by: Text.readAll(keyPaths, count), checkedText(text))
  }
}

private func checkedAggregate(_ kind: Int32) throws(Refusal) -> NumberedAggregate {
  guard let aggregate = NumberedAggregate(rawValue: kind) else {
    throw Refusal(.badArgument, "There is no aggregate with the number \(kind).")
  }
  return aggregate
}

@c @implementation public func openrealm_aggregate(
  _ collection: OpaquePointer?, _ kind: Int32, _ keyPath: UnsafePointer<CChar>?,
  _ value: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  read(collection, value) { collection throws(Refusal) in
    try openrealm_value(collection.aggregate(checkedAggregate(kind), checkedText(keyPath)))
  }
}

@c @implementation public func openrealm_group(
  _ collection: OpaquePointer?, _ groupKeyPath: UnsafePointer<CChar>?, _ kind: Int32,
  _ keyPath: UnsafePointer<CChar>?,
  _ group: (
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<openrealm_value>?, UnsafePointer<openrealm_value>?
    )
      -> Bool
  )?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  code { () throws(Refusal) in
    guard let group else { throw .null }
    let groups = try CollectionHandle.with(collection) { known throws(Refusal) in
      try known.numbered.groups(
        by: checkedText(groupKeyPath), checkedAggregate(kind), keyPath == nil ? nil : checkedText(keyPath))
    }
    // Copies, so that the callback may do anything to the collection.
    for found in groups {
      var key = try openrealm_value(found.key)
      defer { openrealm_value_clear(&key) }
      var value = try openrealm_value(found.value)
      defer { openrealm_value_clear(&value) }
      if !group(context, &key, &value) { return }
    }
  }
}
