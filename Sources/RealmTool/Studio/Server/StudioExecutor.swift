import Dispatch

/// Runs the routes of the server, on threads that are not those of all tasks of the process: these are as many as there are
/// processors, and a route that blocks its thread must not stop the others.
final class StudioExecutor: TaskExecutor {
  static let shared = StudioExecutor()

  private let queue = DispatchQueue(label: "studio.routes", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
