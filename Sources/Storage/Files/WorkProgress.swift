/// Tells who wants to know how far long work on a file is: looking at all of it, and copying it.
package enum WorkProgress {
  /// Called now and then with the entries that are done, and all there are, by work that the caller begins.
  @TaskLocal package static var update: (@Sendable (_ done: Int, _ total: Int) -> Void)?

  /// One piece of work.
  struct Counter {
    private let update = WorkProgress.update
    private var done = 0
    /// 0 when it is not known.
    var total = 0

    mutating func note() {
      guard let update else { return }
      done += 1
      if done & 15 == 0 { update(done, total) }
    }
  }
}
