import Foundation

/// An optional, to let the properties of that kind be missing from what is decoded.
public protocol OptionalCodingWrapper {
  static var _rlmNil: Self { get }
}

extension Optional: OptionalCodingWrapper {
  /// What stands for a missing value when an object is decoded.
  public static var _rlmNil: Wrapped? { nil }
}

// Values go through containers for single values, so that the strategies of coders for dates and data apply.

extension Persisted: Decodable where Value: Decodable {
  /// Decodes what `encode(to:)` writes.
  public init(from decoder: Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the value of an object in memory.
  ///
  /// - Throws: `EncodingError.invalidValue` for a managed object, whose values are in the realm: its class has to say
  ///   itself how it is encoded.
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
    var container = encoder.singleValueContainer()
    try container.encode(value ?? Value._rlmDefaultValue())
  }
}

extension KeyedDecodingContainer {
  /// An optional property that is missing is nil.
  public func decode<Value>(
    _ type: Persisted<Value>.Type, forKey key: Key
  ) throws -> Persisted<Value> where Value: OptionalCodingWrapper & Decodable {
    try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: ._rlmNil)
  }
}
