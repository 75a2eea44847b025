import RealmSwift
import Storage

/// The transactions of the page that can be undone, and those that were undone and can be done again.
///
/// Used on the queue of the session only.
final class UndoHistory: Sendable {
  private let stepLimit: Int
  /// Maximum size of all steps, in bytes.
  let sizeLimit: Int

  private struct State {
    var undo: [UndoStep] = []
    var redo: [UndoStep] = []
    var size = 0
    /// The rows that objects have got since, by the rows of the steps.
    var aliases: [NumberedObject: NumberedObject] = [:]
  }

  nonisolated(unsafe) private var state = State()

  init(stepLimit: Int = 1_000, sizeLimit: Int = 64 << 20) {
    self.stepLimit = stepLimit
    self.sizeLimit = sizeLimit
  }

  var undoCount: Int { state.undo.count }
  var redoCount: Int { state.redo.count }

  enum Direction: Sendable {
    case undo, redo
  }

  /// Adds a step of a new transaction, after which nothing can be done again.
  ///
  /// - Parameter step: Nil for one that is too large. Nothing before it can be undone then.
  func add(_ step: UndoStep?) {
    guard let step else {
      state = State()
      return
    }
    if step.isEmpty { return }
    state.size -= state.redo.reduce(0) { $0 + $1.size }
    state.redo = []
    state.undo.append(step)
    state.size += step.size
    shrink()
  }

  private func shrink() {
    var count = 0
    while state.undo.count - count > stepLimit || state.size > sizeLimit && count < state.undo.count {
      state.size -= state.undo[count].size
      count += 1
    }
    state.undo.removeFirst(count)
    if state.undo.isEmpty && state.redo.isEmpty { state = State() }
  }

  /// The step that is undone, or done again, next.
  func next(_ direction: Direction) -> UndoStep? {
    direction == .undo ? state.undo.last : state.redo.last
  }

  func reversal(of step: UndoStep, in snapshot: Snapshot) -> StepReversal {
    StepReversal(step, snapshot, state.aliases, sizeLimit: sizeLimit)
  }

  /// Replaces the next step by the one that reverses it, after the transaction was committed.
  ///
  /// - Parameter inverse: Nil for one that is too large.
  func complete(
    _ direction: Direction, _ inverse: UndoStep?, _ aliases: [NumberedObject: NumberedObject]
  ) {
    state.aliases = aliases
    let done = direction == .undo ? state.undo.removeLast() : state.redo.removeLast()
    state.size -= done.size
    guard let inverse else {
      // What lies behind a step that is lost cannot be reached any more.
      if direction == .undo { clearRedo() } else { clearUndo() }
      return
    }
    if direction == .undo { state.redo.append(inverse) } else { state.undo.append(inverse) }
    state.size += inverse.size
    shrink()
  }

  private func clearRedo() {
    state.size -= state.redo.reduce(0) { $0 + $1.size }
    state.redo = []
  }

  private func clearUndo() {
    state.size -= state.undo.reduce(0) { $0 + $1.size }
    state.undo = []
  }
}
