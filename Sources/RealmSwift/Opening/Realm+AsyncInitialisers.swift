public import Dispatch
import Foundation
import Storage
import Synchronization

extension Realm {
  /// A policy for downloads before opening. Realms that are not synchronised are always opened immediately.
  @frozen public enum OpenBehavior: Sendable {
    /// The realm is opened with what its file has.
    case never
    /// The realm is opened when its file has a state of the server that is later than the call. Opening fails without a
    /// connection.
    case always
    /// The realm is opened when its file has been downloaded completely, now or at any time before.
    case once
  }

  /// Opens a realm for the main actor. Steps that can take long run in the background: creating the file and
  /// migrating it to the classes.
  ///
  /// - Throws: `Realm.Error`, as `init(configuration:queue:)`; `CancellationError` if the task was cancelled.
  @MainActor
  public init(
    configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior = .never,
    file: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let location = CodeLocation(file, line)
    let preparation = try await Preparation.make(configuration, location, downloadBeforeOpen)
    self.init(try Opening.openKept(configuration, at: .main, from: location))
    if downloadBeforeOpen != .never { core.showDownload() }
    withExtendedLifetime(preparation) {}
  }

  /// Opens a realm that is isolated to an actor. Each call for the same actor returns the same realm.
  ///
  /// ```swift
  /// actor Importer {
  ///   var realm: Realm!
  ///   init() async throws { realm = try await Realm(actor: self) }
  /// }
  /// ```
  ///
  /// - Throws: `Realm.Error`, as `init(configuration:queue:)`; `CancellationError` if the task was cancelled.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: A,
    downloadBeforeOpen: OpenBehavior = .never, file: StaticString = #fileID, line: UInt = #line
  ) async throws {
    self.init(
      try await Self.opened(configuration, on: actor, downloadBeforeOpen, CodeLocation(file, line)).core)
  }

  /// Opens a realm that is isolated to the actor of the caller.
  ///
  /// ```swift
  /// let realm = try await Realm.open(configuration: configuration)
  /// ```
  ///
  /// - Throws: `Realm.Error`, as `init(configuration:queue:)`; `CancellationError` if the task was cancelled.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    _isolation actor: isolated _ActorOfTheRealm = #isolation,
    downloadBeforeOpen: OpenBehavior = .never, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Realm {
    Realm(try await opened(configuration, on: actor, downloadBeforeOpen, CodeLocation(file, line)).core)
  }

  /// A realm on its way to the actor that it belongs to.
  private struct Opened: @unchecked Sendable { let core: RealmCore }

  private static func opened(
    _ configuration: Configuration, on actor: isolated any Actor, _ behavior: OpenBehavior,
    _ location: CodeLocation
  ) async throws -> Opened {
    let preparation = try await Preparation.make(configuration, location, behavior)
    defer { withExtendedLifetime(preparation) {} }
    let core = try Opening.openKept(configuration, at: .actor(actor), from: location)
    if behavior != .never { core.showDownload() }
    return Opened(core: core)
  }

  /// A realm that `asyncOpen` is opening.
  public typealias AsyncOpenTask = RealmSwift.AsyncOpenTask

  /// Opens a realm in the background, then on a queue, and calls a callback there.
  ///
  /// `callbackQueue` is the main queue or a serial queue. A synchronised realm is downloaded before, as with
  /// ``OpenBehavior/always``.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    file: StaticString = #fileID, line: UInt = #line,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    let location = CodeLocation(file, line)
    // Called once, on the queue.
    nonisolated(unsafe) let callback = callback
    let finish: @Sendable (Result<Preparation, any Swift.Error>) -> Void = { preparation in
      callbackQueue.async {
        callback(
          Result {
            if task.isCancelled { throw AsyncOpenTask.cancellation }
            let preparation = try preparation.get()
            defer { withExtendedLifetime(preparation) {} }
            let core = try Opening.openKept(configuration, at: .queue(callbackQueue), from: location)
            core.showDownload()
            return Realm(core)
          })
      }
    }
    Preparation.queue.async {
      let preparation = Result { try Preparation(configuration, location) }
      if let prepared = try? preparation.get(), prepared.isSynchronised {
        task.download(prepared) { error in finish(error.map { .failure($0) } ?? preparation) }
      } else {
        finish(preparation)
      }
    }
    return task
  }
}

/// A realm that `Realm.asyncOpen` is opening.
@frozen public struct AsyncOpenTask: Sendable {
  private let flag: Flag

  init() { flag = Flag() }

  /// Cancels opening. Unless the realm is open already, the callback gets an error with the code `ECANCELED`.
  public func cancel() {
    flag.isCancelled.store(true, ordering: .relaxed)
    flag.download.withLock { $0 }?.cancel()
  }

  var isCancelled: Bool { flag.isCancelled.load(ordering: .relaxed) }

  /// Lets a function be called, on any thread, with the progress of the download before opening.
  package func observeProgress(_ body: @escaping @Sendable (TransferProgress) -> Void) {
    flag.observers.withLock { $0.append(body) }
  }

  /// Waits for a download, and calls back with the error.
  fileprivate func download(
    _ preparation: Preparation, _ done: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let task = Task { [flag] in
      do {
        try await preparation.download(.always) { progress in
          for body in flag.observers.withLock({ $0 }) { body(progress) }
        }
        done(nil)
      } catch {
        done(error)
      }
    }
    flag.download.withLock { $0 = task }
    if isCancelled { task.cancel() }
  }

  static var cancellation: any Error {
    NSError(
      domain: NSPOSIXErrorDomain, code: Int(ECANCELED),
      userInfo: [NSLocalizedDescriptionKey: "Operation canceled"])
  }

  @usableFromInline
  final class Flag: Sendable {
    let isCancelled = Atomic(false)
    let download = Mutex<Task<Void, Never>?>(nil)
    let observers = Mutex<[@Sendable (TransferProgress) -> Void]>([])
  }
}

/// A file that was opened in the background, so that opening it again takes no time as long as this lives.
private struct Preparation: @unchecked Sendable {
  static let queue = DispatchQueue(label: "io.realm.open", attributes: .concurrent)

  /// Keeps the file open.
  private let core: RealmCore
  /// The timeout of this opening: the file may have been opened before, with another one.
  private let timeout: TimeInterval

  init(_ configuration: Realm.Configuration, _ location: CodeLocation) throws {
    core = try Opening.open(configuration, at: .current, from: location)
    timeout = configuration.syncConfiguration?.synchroniser.openTimeout ?? 0
  }

  var isSynchronised: Bool { core.synchronisation != nil }

  /// Waits for a download unless the file is a local one.
  func download(
    _ behavior: Realm.OpenBehavior, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws {
    try await core.synchronisation?.download(behavior, timeout: timeout, progress: progress)
  }

  /// Opens a file unless it is open already, and waits for the download that was asked for. Nil when it is open, and nothing is
  /// to be downloaded.
  static func make(
    _ configuration: Realm.Configuration, _ location: CodeLocation, _ behavior: Realm.OpenBehavior
  ) async throws -> Preparation? {
    configuration.validate()
    try Task.checkCancellation()
    let downloads = behavior != .never && configuration.syncConfiguration != nil
    if !downloads && RealmFiles.isOpen(configuration) { return nil }
    let preparation = try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try Preparation(configuration, location) }) }
    }
    if downloads { try await preparation.download(behavior) { _ in } }
    try Task.checkCancellation()
    return preparation
  }
}

extension RealmCore {
  /// Moves to the newest version, if the realm was open before its file was downloaded.
  fileprivate func showDownload() {
    if synchronisation != nil && !isInWrite { _ = refresh() }
  }
}
