public import Foundation
import QueryEngine
import Storage

// Foundation on Linux does not read predicate formats; these initialisers do, in the syntax of `filter`. Such predicates
// filter collections, are parts of `NSCompoundPredicate`, and can be evaluated with single objects.
extension NSPredicate: _PredicateFactory {
  /// Creates a predicate from a condition in predicate syntax.
  ///
  /// ```swift
  /// let predicate = NSPredicate(format: "altitude > %d AND name BEGINSWITH %@", 2_000, "B")
  /// let found = huts.filter(predicate)
  /// ```
  ///
  /// Stops the program if the text is malformed; `init(checking:_:)` throws instead.
  public convenience init(format: String, _ args: Any...) {
    self.init(format: format, argumentArray: args)
  }

  /// Creates a predicate from a condition in predicate syntax and an array of arguments.
  ///
  /// Stops the program if the text is malformed; `init(checking:_:)` throws instead.
  public convenience init(format: String, argumentArray: [Any]?) {
    do {
      try self.init(checking: format, argumentArray ?? [])
    } catch {
      trap("\(error.localizedDescription)")
    }
  }

  /// Creates a predicate from a condition in predicate syntax. For text from outside the program: it throws
  /// where `init(format:_:)` stops the program.
  ///
  /// Whether the named properties exist and have suitable types is checked by the collection that is
  /// filtered: `filter(checking:)` throws as well.
  ///
  /// - Throws: `Realm.Error` with the code `.invalidInput` and the position if the text is malformed.
  public convenience init(checking format: String, _ arguments: [Any] = []) throws {
    let predicate: FormatPredicate
    do {
      predicate = try FormatPredicate(format, arguments)
    } catch let error as PredicateError {
      throw Realm.Error(.invalidInput, error.message)
    }
    self.init(instance: predicate)
  }
}

/// Lets initialisers of a class give an instance that exists, of a subclass.
public protocol _PredicateFactory {}

extension _PredicateFactory {
  init(instance: AnyObject) { self = instance as! Self }
}

/// A predicate made from a format string.
///
/// It is parsed once. Only arguments that are objects or collections, whose rows and elements a realm knows when it is
/// asked, are kept as they are, and the format is parsed again with what they are then.
final class FormatPredicate: NSPredicate {
  private let format: String
  private let arguments: [Any]
  private let parsed: PredicateExpression
  private let isFixed: Bool

  init(_ format: String, _ arguments: [Any]) throws {
    self.format = format
    self.arguments = arguments
    let converted = try arguments.map { try Argument($0, in: nil) }
    parsed = try PredicateExpression(format: format, arguments: converted)
    isFixed = zip(converted, arguments).allSatisfy { $0.isFixed(from: $1) }
    super.init(value: true)
  }

  required init?(coder: NSCoder) { return nil }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FormatPredicate else { return false }
    return other === self || other.parsed.withPlainNumbers == parsed.withPlainNumbers
  }

  override var hash: Int { parsed.withPlainNumbers.hashValue }

  override var description: String { parsed.description }

  override var predicateFormat: String { parsed.description }

  override func evaluate(with object: Any?) -> Bool { evaluate(with: object, substitutionVariables: nil) }

  override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
    do {
      return try parsed.matches(PredicateSubject(object as Any))
    } catch {
      trap("\(error)")
    }
  }

  func makeExpression(in realm: RealmCore?) throws -> PredicateExpression {
    if isFixed { return parsed }
    return try PredicateExpression(format: format, arguments: arguments.map { try Argument($0, in: realm) })
  }
}

/// Sequences whose elements stay as they are.
private protocol FixedSequence {}
extension Array: FixedSequence {}
extension Set: FixedSequence {}

extension Argument {
  /// Whether the argument is the same in every realm at any time.
  ///
  /// - Parameter value: The value that it was made of.
  fileprivate func isFixed(from value: Any) -> Bool {
    switch self {
    case .value(let stored): stored.isFixed
    case .number, .keyPath: true
    case .list(let elements):
      value is any FixedSequence
        && elements.allSatisfy { if case .value(let stored) = $0 { stored.isFixed } else { false } }
    case .object, .detachedObject, .region, .members, .unsupported: false
    }
  }
}

extension StoredValue {
  /// Whether it is neither an object nor a collection.
  fileprivate var isFixed: Bool {
    switch self {
    case .link, .list, .dictionary: false
    default: true
    }
  }
}

extension NSPredicate {
  /// The condition, for a query on a realm; nil is none.
  ///
  /// - Throws: `PredicateError` for predicates that have no expression, such as blocks, and objects of another realm.
  func expression(in realm: RealmCore?) throws -> PredicateExpression {
    try ExpressionAssembler.expression(of: self) { try $0.node(in: realm) }
  }

  private func node(in realm: RealmCore?) throws -> ExpressionAssembler.Node<NSPredicate> {
    switch self {
    case let predicate as FormatPredicate: return .leaf(try predicate.makeExpression(in: realm))
    case let compound as NSCompoundPredicate:
      let operands = compound.subpredicates
      switch compound.compoundPredicateType {
      case .and: return .compound(.and, operands, isNegated: false)
      case .or: return .compound(.or, operands, isNegated: false)
      case .not: return .compound(.and, operands, isNegated: true)
      @unknown default: throw Self.unsupported
      }
    default:
      for answer in [true, false] where isEqual(NSPredicate(value: answer)) {
        return .leaf(.constant(answer))
      }
      throw Self.unsupported
    }
  }

  private static var unsupported: PredicateError {
    PredicateError("Invalid predicate", "Only support compound, comparison, and constant predicates")
  }
}
