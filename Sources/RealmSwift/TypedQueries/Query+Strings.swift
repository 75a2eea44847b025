import Foundation
import QueryEngine
import Storage

/// Types that the operators for strings apply to.
public protocol _QueryText {}
extension String: _QueryText {}
extension Data: _QueryText {}
extension AnyRealmValue: _QueryText {}
extension Optional: _QueryText where Wrapped: _QueryText {}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryText {
  /// Whether the string matches a pattern of `?`, any character, and `*`, any characters.
  public func like(_ pattern: T, caseInsensitive: Bool = false) -> Query<Bool> {
    comparing(.like, pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }
  public func like(_ pattern: Query<T>, caseInsensitive: Bool = false) -> Query<Bool> {
    comparing(.like, property: pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }

  /// Whether the string has a part. The empty string is part of none.
  public func contains(_ part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.contains, part, options: options)
  }
  public func contains(_ part: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.contains, property: part, options: options)
  }

  /// Whether the string begins with a part.
  public func starts(with part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.beginsWith, part, options: options)
  }
  public func starts(with part: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.beginsWith, property: part, options: options)
  }

  /// Whether the string ends with a part.
  public func ends(with part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.endsWith, part, options: options)
  }
  public func ends(with part: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.endsWith, property: part, options: options)
  }

  /// Whether the strings are equal when they are compared with the options.
  public func equals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.equal, other, options: options)
  }
  public func equals(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.equal, property: other, options: options)
  }

  /// Whether the strings are unequal when they are compared with the options.
  public func notEquals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.notEqual, other, options: options)
  }
  public func notEquals(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    comparing(.notEqual, property: other, options: options)
  }
}
