import Dispatch
import Storage

/// One iteration over changes: a realm on a queue of its own, which looks for changes only when asked for one.
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
  private var waiter: CheckedContinuation<Given, Never>?
  private var hasBegun = false
  private var isFinished = false

  /// What is followed in the realm of the feed.
  struct Observation {
    let token: NotificationToken
    /// Whether it is there no longer, so that nothing will change any more.
    let isGone: () -> Bool
  }

  /// What is given is frozen, so that any thread may have it.
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
    // The realm must be let go of where it belongs.
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
    waiter = continuation
    if !hasBegun { begin() }
    look()
  }

  private func begin() {
    hasBegun = true
    guard let core = try? Opening.open(configuration, at: .queue(queue), from: openedAt) else {
      return finish()
    }
    core.autorefresh = false
    self.core = core
    // The registrations live until the queue has let go of them, which is later than this.
    let news = Realm(core).observe { [weak self] notification, _ in
      if notification == .refreshRequired { self?.hear() }
    }
    guard let observation = observe(core, { [weak self] in self?.ready = $0 }) else { return finish() }
    tokens = [news, observation.token]
    isGone = observation.isGone
  }

  /// There is a newer version.
  private func hear() {
    if waiter != nil {
      look()
    } else {
      // The old version need not be kept for a task that is busy.
      core?.refreshQuietly()
    }
  }

  /// Gives the task what there is.
  private func look() {
    guard let waiter else { return }
    if ready == nil, !isFinished { _ = core?.refresh() }
    if ready == nil, !isFinished, !isGone() { return }
    self.waiter = nil
    let element = ready
    ready = nil
    waiter.resume(returning: Given(element: element))
    if element == nil { finish() }
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
