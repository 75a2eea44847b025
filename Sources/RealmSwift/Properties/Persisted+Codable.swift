import Foundation

/// A type of property that can be missing in decoded data: an optional.
public protocol OptionalCodingWrapper {
  static var _rlmNil: Self { get }
}

extension Optional: OptionalCodingWrapper {
  /// What stands for a missing value when an object is decoded.
  public static var _rlmNil: Wrapped? { nil }
}

// Where a decoder is asked for a property by itself: the container for single values lets its strategies for dates and data
// apply.

extension Persisted: Decodable where Value: _Persistable & Decodable {
  /// Decodes a value that `encode(to:)` wrote.
  public init(from decoder: Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension Persisted: Encodable where Value: _Persistable & Encodable {
  /// Encodes the value of an unmanaged object.
  ///
  /// - Throws: `EncodingError.invalidValue` for a managed object, whose values are stored in the realm: its
  ///   class must implement `encode(to:)` itself.
  public func encode(to encoder: Encoder) throws {
    guard column < 0 else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "Only unmanaged Realm objects can be encoded using automatic Codable synthesis. You must explicitly define encode(to:) on your model class to support managed Realm objects."
        ))
    }
    if value == nil, UnconvertedValue.isMark(column), !(Value.self is any OptionalCodingWrapper.Type) {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "What is stored for the property cannot be converted to type '\(Value.self)'."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(value ?? Value._rlmDefaultValue())
  }
}

// A synthesised `init(from:)` calls these. Without them each property would go through a decoder and a container of its own,
// which takes several times as long as decoding the value.
extension KeyedDecodingContainer {
  /// Decodes the value of a property.
  @inlinable
  public func decode<Value: _Persistable & Decodable>(
    _ type: Persisted<Value>.Type, forKey key: Key
  ) throws -> Persisted<Value> {
    Persisted(wrappedValue: try _decodeValue(forKey: key))
  }

  /// Decodes an optional property, which is nil if its key is missing.
  @inlinable
  public func decode<Wrapped: _PersistableInsideOptional & Decodable>(
    _ type: Persisted<Wrapped?>.Type, forKey key: Key
  ) throws -> Persisted<Wrapped?> {
    Persisted(wrappedValue: try _decodeValueIfPresent(forKey: key))
  }

  /// Decodes a property of a custom type that stands for an optional, which is nil if its key is missing.
  public func decode<Value>(
    _ type: Persisted<Value>.Type, forKey key: Key
  ) throws -> Persisted<Value> where Value: _Persistable & OptionalCodingWrapper & Decodable {
    try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: ._rlmNil)
  }

  // Containers have functions of their own for the types that most values are of. Which one is meant is known when the
  // program is compiled.

  @inlinable @inline(__always)
  func _decodeValue<Value: Decodable>(forKey key: Key) throws -> Value {
    if Value.self == String.self { return try decode(String.self, forKey: key) as! Value }
    if Value.self == Int.self { return try decode(Int.self, forKey: key) as! Value }
    if Value.self == Bool.self { return try decode(Bool.self, forKey: key) as! Value }
    if Value.self == Double.self { return try decode(Double.self, forKey: key) as! Value }
    if Value.self == Float.self { return try decode(Float.self, forKey: key) as! Value }
    if Value.self == Int64.self { return try decode(Int64.self, forKey: key) as! Value }
    if Value.self == Int32.self { return try decode(Int32.self, forKey: key) as! Value }
    if Value.self == Int16.self { return try decode(Int16.self, forKey: key) as! Value }
    if Value.self == Int8.self { return try decode(Int8.self, forKey: key) as! Value }
    return try decode(Value.self, forKey: key)
  }

  @inlinable @inline(__always)
  func _decodeValueIfPresent<Value: Decodable>(forKey key: Key) throws -> Value? {
    if Value.self == String.self { return try decodeIfPresent(String.self, forKey: key) as! Value? }
    if Value.self == Int.self { return try decodeIfPresent(Int.self, forKey: key) as! Value? }
    if Value.self == Bool.self { return try decodeIfPresent(Bool.self, forKey: key) as! Value? }
    if Value.self == Double.self { return try decodeIfPresent(Double.self, forKey: key) as! Value? }
    return try decodeIfPresent(Value.self, forKey: key)
  }
}
