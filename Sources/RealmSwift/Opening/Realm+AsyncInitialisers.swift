public import Dispatch
import Foundation
import Storage
import Synchronization

extension Realm {
  /// A policy for synchronisation before opening. Local files are always opened immediately.
  @frozen public enum OpenBehavior: Sendable {
    /// No synchronisation.
    case never
    /// Synchronisation each time; equivalent to `never` in this library.
    case always
    /// Synchronisation the first time; equivalent to `never` in this library.
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
    let preparation = try await Preparation.make(configuration, location)
    self.init(try Opening.openKept(configuration, at: .main, from: location))
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
    self.init(try await Self.opened(configuration, on: actor, CodeLocation(file, line)).core)
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
    Realm(try await opened(configuration, on: actor, CodeLocation(file, line)).core)
  }

  /// A realm on its way to the actor that it belongs to.
  private struct Opened: @unchecked Sendable { let core: RealmCore }

  private static func opened(
    _ configuration: Configuration, on actor: isolated any Actor, _ location: CodeLocation
  ) async throws -> Opened {
    let preparation = try await Preparation.make(configuration, location)
    defer { withExtendedLifetime(preparation) {} }
    return Opened(core: try Opening.openKept(configuration, at: .actor(actor), from: location))
  }

  /// A realm that `asyncOpen` is opening.
  public typealias AsyncOpenTask = RealmSwift.AsyncOpenTask

  /// Opens a realm in the background, then on a queue, and calls a callback there.
  ///
  /// `callbackQueue` is the main queue or a serial queue.
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
    Preparation.queue.async {
      let preparation = Result { try Preparation(configuration, location) }
      callbackQueue.async {
        callback(
          Result {
            if task.isCancelled { throw AsyncOpenTask.cancellation }
            let preparation = try preparation.get()
            defer { withExtendedLifetime(preparation) {} }
            return Realm(try Opening.openKept(configuration, at: .queue(callbackQueue), from: location))
          })
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
  public func cancel() { flag.isCancelled.store(true, ordering: .relaxed) }

  var isCancelled: Bool { flag.isCancelled.load(ordering: .relaxed) }

  static var cancellation: any Error {
    NSError(
      domain: NSPOSIXErrorDomain, code: Int(ECANCELED),
      userInfo: [NSLocalizedDescriptionKey: "Operation canceled"])
  }

  @usableFromInline
  final class Flag: Sendable {
    let isCancelled = Atomic(false)
  }
}

/// A file that was opened in the background, so that opening it again takes no time as long as this lives.
private struct Preparation: @unchecked Sendable {
  static let queue = DispatchQueue(label: "io.realm.open", attributes: .concurrent)

  /// Not used, only closed.
  private let core: RealmCore

  init(_ configuration: Realm.Configuration, _ location: CodeLocation) throws {
    core = try Opening.open(configuration, at: .current, from: location)
  }

  /// Opens a file unless it is open already; nil when it is.
  static func make(
    _ configuration: Realm.Configuration, _ location: CodeLocation
  ) async throws -> Preparation? {
    configuration.validate()
    try Task.checkCancellation()
    if RealmFiles.isOpen(configuration) { return nil }
    let preparation = try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try Preparation(configuration, location) }) }
    }
    try Task.checkCancellation()
    return preparation
  }
}
