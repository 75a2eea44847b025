import Foundation
import QueryEngine
import Storage

extension Operand {
  /// A Swift value as a constant of a query.
  init(_ value: Any) { self = Argument(value).operand }
}

extension Argument {
  /// A Swift value as an argument of a query.
  init(_ value: Any) {
    guard let value = Coercion.unwrap(value) else {
      self = .value(.null)
      return
    }
    switch value {
    case let object as ObjectBase:
      self =
        object._isManaged && object._isAlive
        ? .object(table: object._table.number, row: object._row) : .detachedObject
    case let mixed as AnyRealmValue:
      self = Argument(mixed: mixed)
    case let shape as any RLMGeospatial: self = .region(shape._region)
    case let persistable as any _Persistable:
      if let stored = persistable._rlmStoredScalar {
        self = .value(stored)
      } else if let elements = value as? any Sequence {
        self = .list(elements.map { Argument($0) })
      } else {
        self = .unsupported(description: "\(value)", type: "\(type(of: value))")
      }
    case let elements as any Sequence: self = .list(elements.map { Argument($0) })
    case let number as NSNumber: self = Argument(number)
    default:
      if let date = value as? NSDate {
        self = .value(.date(date.timeIntervalSinceReferenceDate))
      } else {
        self = .unsupported(description: "\(value)", type: "\(type(of: value))")
      }
    }
  }

  private init(mixed: AnyRealmValue) {
    switch mixed {
    case .object(let object): self = Argument(object)
    default: self = .value(mixed._rlmStoredScalar ?? .null)
    }
  }

  private init(_ number: NSNumber) {
    if let value = Coercion.scalar(number, .int) ?? Coercion.scalar(number, .double) {
      self = .value(value)
    } else {
      self = .unsupported(description: "\(number)", type: "NSNumber")
    }
  }
}
