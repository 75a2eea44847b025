import Synchronization

/// What is done with the rows of a query, step by step.
///
/// Results that are made of other results share the steps with them, so that adding one takes the same time however many
/// there are. Frozen results do so from any thread.
struct ResultsSteps: Sendable {
  private enum Content: Sendable {
    case none
    /// As most queries have, without any memory of its own.
    case one(ResultsCore.Step)
    /// The storage holds more steps than these when other results were made of the ones with these.
    case several(Storage, count: Int)
  }

  private let content: Content

  private final class Storage: Sendable {
    let steps: Mutex<[ResultsCore.Step]>

    init(_ steps: [ResultsCore.Step]) { self.steps = Mutex(steps) }
  }

  init(_ steps: [ResultsCore.Step]) {
    switch steps.count {
    case 0: content = .none
    case 1: content = .one(steps[0])
    default: content = .several(Storage(steps), count: steps.count)
    }
  }

  private init(_ content: Content) { self.content = content }

  var all: [ResultsCore.Step] {
    switch content {
    case .none: []
    case .one(let step): [step]
    case .several(let storage, let count):
      // A copy, not the array itself: another thread may append to that in its memory, and only the lock tells Thread
      // Sanitizer which of both came first.
      storage.steps.withLock { $0[..<count].map { $0 } }
    }
  }

  /// The step when there is no other.
  var only: ResultsCore.Step? {
    if case .one(let step) = content { step } else { nil }
  }

  func appending(_ step: ResultsCore.Step) -> ResultsSteps {
    if case .none = content { return ResultsSteps(.one(step)) }
    return appending([step])
  }

  func appending(_ added: [ResultsCore.Step]) -> ResultsSteps {
    guard case .several(let storage, let count) = content else { return ResultsSteps(all + added) }
    let isLast = storage.steps.withLock { steps in
      if steps.count != count { return false }
      steps += added
      return true
    }
    return isLast
      ? ResultsSteps(.several(storage, count: count + added.count)) : ResultsSteps(all + added)
  }
}
