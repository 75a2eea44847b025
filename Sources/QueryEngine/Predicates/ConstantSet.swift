package import Storage
import Synchronization

/// The constants of IN. Whether a value equals one of them takes the same time however many they are.
package struct ConstantSet: Sendable {
  package let values: [Value]
  /// How strings are compared; other values are compared as they are.
  package let options: StringOptions
  private let index: Index

  package init(_ values: [Value], options: StringOptions = []) {
    self.values = values
    self.options = options
    index = Index()
  }

  /// The hash tables, which are built when the first value is looked up. The filters of many columns need none.
  private final class Index: Sendable {
    let constants = AtomicLazyReference<IndexedConstants>()
  }

  package var count: Int { values.count }

  /// Up to this number of constants is compared one by one.
  private static let fewConstants = 8

  /// Whether a value equals one of the constants, as `ValueComparison` defines it for values of a type.
  package func contains(_ value: Value, type: ValueType) -> Bool {
    if options.isEmpty && values.count <= Self.fewConstants {
      return values.contains { ValueComparison.compare(value, .equal, $0, type: type) }
    }
    let constants =
      index.constants.load() ?? index.constants.storeIfNil(IndexedConstants(values, options))
    return constants.contains(value, type: type)
  }

  /// The rows of a table that are among the constants, ascending, without repetition.
  func rows(ofTable table: Int, below limit: Int) -> [Int] {
    var rows: Set<Int> = []
    for case .link(table, let row) in values where 0..<limit ~= row { rows.insert(row) }
    return rows.sorted()
  }
}

extension ConstantSet: Hashable {
  // The hash tables follow from the rest.
  package static func == (first: ConstantSet, second: ConstantSet) -> Bool {
    first.options == second.options && first.values == second.values
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(options)
    hasher.combine(values)
  }
}

extension ConstantSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral values: Value...) { self.init(values) }
}
