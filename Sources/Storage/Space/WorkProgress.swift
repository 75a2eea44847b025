/// Tells who wants to know how far long work on a file is: looking at all of it, and copying it.
package enum WorkProgress {
  /// Called now and then with the entries that are done, and all there are, by work that the caller begins.
  @TaskLocal package static var update: Update?

  /// A function in a value of its own: bound as a task-local value itself it ends the program, compiled by Swift 6.3 with `-O`.
  package struct Update: Sendable {
    let function: @Sendable (_ done: Int, _ total: Int) -> Void

    package init(_ function: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) {
      self.function = function
    }
  }

  /// One piece of work.
  struct Counter {
    private let update = WorkProgress.update
    private var done = 0
    /// 0 when it is not known.
    var total = 0

    mutating func note() {
      guard let update else { return }
      done += 1
      if done & 15 == 0 { update.function(done, total) }
    }
  }
}
