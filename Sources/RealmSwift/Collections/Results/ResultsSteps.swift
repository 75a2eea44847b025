import Synchronization

/// What is done with the rows of a query, step by step.
///
/// Results that are made of other results share the steps with them, so that adding one takes the same time however many
/// there are. Frozen results do so from any thread.
struct ResultsSteps: Sendable {
  /// Holds more steps than these when other results were made of the ones with these; nil for none.
  private let storage: Storage?
  private let count: Int

  private final class Storage: Sendable {
    let steps: Mutex<[ResultsCore.Step]>

    init(_ steps: [ResultsCore.Step]) { self.steps = Mutex(steps) }
  }

  init(_ steps: [ResultsCore.Step]) {
    self.init(steps.isEmpty ? nil : Storage(steps), steps.count)
  }

  private init(_ storage: Storage?, _ count: Int) {
    self.storage = storage
    self.count = count
  }

  var all: [ResultsCore.Step] {
    guard let storage else { return [] }
    return storage.steps.withLock { $0.count == count ? $0 : Array($0[..<count]) }
  }

  func appending(_ added: [ResultsCore.Step]) -> ResultsSteps {
    guard let storage else { return ResultsSteps(added) }
    let isLast = storage.steps.withLock { steps in
      if steps.count != count { return false }
      steps += added
      return true
    }
    return isLast ? ResultsSteps(storage, count + added.count) : ResultsSteps(all + added)
  }
}
