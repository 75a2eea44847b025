import Dispatch
import Storage

/// One iteration over changes: a realm on a queue of its own, which computes changes only when a task waits for one.
final class ChangeFeed<Element>: @unchecked Sendable {
  /// Everything below is used on this queue.
  private let queue = DispatchQueue(label: "changes")
  private let configuration: Realm.Configuration
  private let openedAt: CodeLocation?
  private let observe: (RealmCore, @escaping (Element) -> Void) -> Observation?
  private var core: RealmCore?
  private var isGone: () -> Bool = { false }
  private var tokens: [NotificationToken] = []
  private var ready: Element?
  /// Calls of `next` that wait. Tasks of one actor can wait with copies of one iterator: each element goes to the first.
  private var waiters: [CheckedContinuation<Given, Never>] = []
  private var hasBegun = false
  private var isFinished = false

  /// The observation in the realm of the feed.
  struct Observation {
    let token: NotificationToken
    /// Whether the observed object, or the object that the observed collection belongs to, is deleted: no change follows.
    let isGone: () -> Bool
  }

  /// What the task gets. Elements are frozen or the program's own Sendable values, so that any thread may have them.
  private struct Given: @unchecked Sendable {
    let element: Element?
  }

  init(
    _ configuration: Realm.Configuration, _ openedAt: CodeLocation?,
    _ observe: @escaping (RealmCore, @escaping (Element) -> Void) -> Observation?
  ) {
    self.configuration = configuration
    self.openedAt = openedAt
    self.observe = observe
  }

  deinit {
    // The realm must be released on its queue.
    nonisolated(unsafe) let (core, isGone) = (core, isGone)
    let tokens = tokens
    self.core = nil
    self.isGone = { false }
    self.tokens = []
    queue.async { withExtendedLifetime((core, isGone, tokens)) {} }
  }

  func next(isolation: isolated (any Actor)?) async -> Element? {
    let given = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { self.ask(continuation) }
      }
    } onCancel: {
      queue.async { self.finish() }
    }
    return given.element
  }

  private func ask(_ continuation: CheckedContinuation<Given, Never>) {
    waiters.append(continuation)
    if !hasBegun { begin() }
    look()
  }

  private func begin() {
    hasBegun = true
    guard let core = open() else { return finish() }
    core.autorefresh = false
    self.core = core
    // The registrations live until the queue has released them, which is later than this.
    let news = Realm(core).observe { [weak self] notification, _ in
      if notification == .refreshRequired { self?.hear() }
    }
    guard let observation = observe(core, { [weak self] in self?.ready = $0 }) else { return finish() }
    tokens = [news, observation.token]
    isGone = observation.isGone
  }

  private func open() -> RealmCore? {
    do {
      return try Opening.open(configuration, at: .queue(queue), from: openedAt)
    } catch {
      Logger.shared.log(
        .error,
        "A sequence of changes of the Realm file at path '\(configuration.path)' ends, because the file could not be opened: \(error.localizedDescription)"
      )
      return nil
    }
  }

  /// Is called when there is a newer version.
  private func hear() {
    if waiters.isEmpty {
      // No old version is kept for a task that is busy.
      core?.refreshQuietly()
    } else {
      look()
    }
  }

  /// Resumes the task when there is an element, or no more can come.
  private func look() {
    while !waiters.isEmpty {
      if ready == nil, !isFinished { _ = core?.refresh() }
      if ready == nil, !isFinished, !isGone() { return }
      let element = ready
      ready = nil
      waiters.removeFirst().resume(returning: Given(element: element))
      if element == nil, !isFinished { finish() }
    }
  }

  private func finish() {
    isFinished = true
    hasBegun = true
    ready = nil
    tokens = []
    isGone = { false }
    core = nil
    look()
  }
}
