public import Foundation

// What a property can be compared with in a typed query depends on what its values are stored as: generic code names
// these constraints.
//
//     func newer<T: _Persistable>(_ query: Query<T>, than value: T) -> Query<Bool>
//     where T.PersistedType: _QueryNumeric { query > value }

/// Types whose values have an order in queries.
public protocol _QueryOrdered {}

/// Types that are compared as numbers: numbers and dates. Their collections have aggregates.
public protocol _QueryNumeric: _QueryOrdered {}

/// Types that are compared byte by byte, and whose values have parts: strings and data.
public protocol _QueryBinary: _QueryOrdered {}

/// Types that are compared as strings.
public protocol _QueryString: _QueryBinary {}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension String: _QueryString {}
extension Data: _QueryBinary {}
extension AnyRealmValue: _QueryNumeric, _QueryString {}
extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}
