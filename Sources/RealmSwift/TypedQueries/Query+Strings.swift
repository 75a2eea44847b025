import Foundation
import QueryEngine
import Storage

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// Whether the string matches a pattern of `?`, any character, and `*`, any characters.
  public func like(_ pattern: T, caseInsensitive: Bool = false) -> Query<Bool> {
    comparing(.like, pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }
  /// Whether the text fits a pattern that another property has.
  public func like<U: _HasPersistedType>(
    _ pattern: Query<U>, caseInsensitive: Bool = false
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.like, property: pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }

  /// Whether the string has a part. The empty string is part of none.
  public func contains(_ part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.contains, part, options: options)
  }
  /// Whether the text contains that of another property.
  public func contains<U: _HasPersistedType>(
    _ part: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.contains, property: part, options: options)
  }

  /// Whether the string begins with a part.
  public func starts(with part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.beginsWith, part, options: options)
  }
  /// Whether the text begins with that of another property.
  public func starts<U: _HasPersistedType>(
    with part: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.beginsWith, property: part, options: options)
  }

  /// Whether the string ends with a part.
  public func ends(with part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.endsWith, part, options: options)
  }
  /// Whether the text ends with that of another property.
  public func ends<U: _HasPersistedType>(
    with part: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.endsWith, property: part, options: options)
  }

  /// Whether the strings are equal when they are compared with the options.
  public func equals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.equal, other, options: options)
  }
  /// Whether the text equals that of another property.
  public func equals<U: _HasPersistedType>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.equal, property: other, options: options)
  }

  /// Whether the strings are unequal when they are compared with the options.
  public func notEquals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.notEqual, other, options: options)
  }
  /// Whether the text differs from that of another property.
  public func notEquals<U: _HasPersistedType>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.notEqual, property: other, options: options)
  }
}
