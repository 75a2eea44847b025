import Foundation
import QueryEngine
import Storage

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// Returns a condition that is true if the string matches a pattern, in which `?` stands for any character
  /// and `*` for any number of characters.
  public func like(_ pattern: T, caseInsensitive: Bool = false) -> Query<Bool> {
    comparing(.like, pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }
  /// Returns a condition that is true if the string matches a pattern that another property contains.
  public func like<U: _HasPersistedType>(
    _ pattern: Query<U>, caseInsensitive: Bool = false
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.like, property: pattern, options: caseInsensitive ? [.caseInsensitive] : [])
  }

  /// Returns a condition that is true if the string contains a substring. No string contains the empty
  /// string.
  ///
  /// ```swift
  /// let found = huts.where { $0.name.contains("rock") }
  /// ```
  public func contains(_ part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.contains, part, options: options)
  }
  /// Returns a condition that is true if the string contains the string of another property.
  public func contains<U: _HasPersistedType>(
    _ part: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.contains, property: part, options: options)
  }

  /// Returns a condition that is true if the string has a prefix.
  ///
  /// ```swift
  /// let named = huts.where { $0.name.starts(with: "b", options: .caseInsensitive) }
  /// ```
  public func starts(with part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.beginsWith, part, options: options)
  }
  /// Returns a condition that is true if the string begins with the string of another property.
  public func starts<U: _HasPersistedType>(
    with part: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.beginsWith, property: part, options: options)
  }

  /// Returns a condition that is true if the string has a suffix.
  ///
  /// ```swift
  /// let rocks = huts.where { $0.name.ends(with: "rock") }
  /// ```
  public func ends(with part: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.endsWith, part, options: options)
  }
  /// Returns a condition that is true if the string ends with the string of another property.
  public func ends<U: _HasPersistedType>(
    with part: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.endsWith, property: part, options: options)
  }

  /// Returns a condition that is true if the strings are equal under the options.
  public func equals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.equal, other, options: options)
  }
  /// Returns a condition that is true if the string equals the string of another property.
  public func equals<U: _HasPersistedType>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.equal, property: other, options: options)
  }

  /// Returns a condition that is true if the strings differ under the options.
  public func notEquals(_ other: T, options: StringOptions = []) -> Query<Bool> {
    comparing(.notEqual, other, options: options)
  }
  /// Returns a condition that is true if the string differs from the string of another property.
  public func notEquals<U: _HasPersistedType>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> where U.PersistedType: _QueryBinary {
    comparing(.notEqual, property: other, options: options)
  }
}
