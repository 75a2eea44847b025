/// What a workload gives, in a form that can be compared with what it must give.
enum Answer: Equatable, CustomStringConvertible {
  case nothing
  case number(Int)
  case numbers([Int])
  case order([SortKey], last: SortKey?)
  case summary(DogSummary)

  /// Where dogs are sorted, equal ones may come in any order: their keys are compared instead of their ids.
  struct SortKey: Equatable {
    var name: String
    var age: Int
  }

  /// Whether a system that gave `self` is right, given the reference's `expected`.
  func satisfies(_ expected: Answer) -> Bool {
    if case .order(let first, nil) = self, case .order(let expectedFirst, _) = expected {
      return first == expectedFirst
    }
    return self == expected
  }

  var description: String {
    switch self {
    case .nothing: "nothing"
    case .number(let number): "\(number)"
    case .numbers(let numbers): "\(numbers.prefix(5))… of \(numbers.count)"
    case .order(let first, let last): "\(first.prefix(3).map(\.name))… to \(last?.name ?? "unknown")"
    case .summary(let summary):
      "sum \(summary.sumOfAges), average \(summary.averageWeight), born \(summary.firstBorn) to "
        + "\(summary.lastBorn)"
    }
  }
}
