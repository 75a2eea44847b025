import LibC
import Storage

import struct Synchronization.Atomic
import struct Synchronization.Mutex

/// The files and folders that are being written: they go when the tool is stopped.
enum UnfinishedOutput {
  private static let places = Mutex<Set<String>>([])
  /// What the terminal has to be set to again.
  private static let terminal = Mutex<(descriptor: Int32, settings: termios)?>(nil)

  /// From now on signals that end the tool end it in order. To be called before there is another thread.
  static func watchSignals() {
    var signals = endingSignals()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    LastResort.prepare()
    var thread = pthread_t()
    // What waits for a signal may do anything, which a handler of it may not.
    let code = pthread_create(
      &thread, nil,
      { _ in
        // Those only, and not all that are blocked: the parent process may have blocked others.
        var signals = UnfinishedOutput.endingSignals()
        var number: Int32 = 0
        while true {
          if sigwait(&signals, &number) != 0 { continue }
          if number == SIGINT && UnfinishedOutput.ignoresInterrupts.load(ordering: .relaxed) { continue }
          if [SIGINT, SIGTERM].contains(number), let end = UnfinishedOutput.takeOrderlyEnd() {
            end()
            continue
          }
          break
        }
        if number == LastResort.signal { LastResort.end() }
        UnfinishedOutput.removeAll()
        DatabaseFile.removeUnfinished()
        UnfinishedOutput.restoreTerminal()
        // As it would have ended.
        signal(number, SIG_DFL)
        sigemptyset(&signals)
        sigaddset(&signals, number)
        kill(getpid(), number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        return nil
      }, nil)
    if code == 0 {
      pthread_detach(thread)
    } else {
      // Where the system has no more threads, signals end the tool at once.
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }

  /// Of those that are not ignored, as they are under nohup.
  private static func endingSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(number) { sigaddset(&signals, number) }
    sigaddset(&signals, LastResort.signal)
    return signals
  }

  private static let ignoresInterrupts = Atomic(false)

  /// From now on Ctrl-C is for the processes that this one has started.
  static func ignoreInterrupts() { ignoresInterrupts.store(true, ordering: .relaxed) }

  private static let orderlyEnd = Mutex<(@Sendable () -> Void)?>(nil)

  /// Runs a body on the first Ctrl-C or SIGTERM, instead of ending the tool. The second one ends it.
  static func endInOrder(_ body: @escaping @Sendable () -> Void) { orderlyEnd.withLock { $0 = body } }

  private static func takeOrderlyEnd() -> (@Sendable () -> Void)? {
    orderlyEnd.withLock { body in
      defer { body = nil }
      return body
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  static func add(_ place: String) { places.withLock { _ = $0.insert(place) } }

  /// What has got its name is no longer unfinished.
  static func forget(_ place: String) { places.withLock { _ = $0.remove(place) } }

  static func remove(_ place: String) {
    forget(place)
    if unlink(place) == 0 || errno == ENOENT { return }
    for name in FolderContent.names(place) { unlink("\(place)/\(name)") }
    rmdir(place)
  }

  static func removeAll() {
    for place in places.withLock({ $0 }) { remove(place) }
  }

  /// Renames the finished file, unless the name exists already.
  ///
  /// - Throws: `ToolError`, `StorageError`.
  static func name(_ place: String, _ path: String) throws {
    defer { remove(place) }
    if try !FileLocation.move(place, unlessThere: path) {
      throw ToolError(
        "'\(path)' was created by another process and was not changed: use another name, or delete it first."
      )
    }
  }

  // MARK: The terminal

  /// Remembers how the terminal was before something is changed that must not stay.
  static func keepTerminal(_ descriptor: Int32, _ settings: termios) {
    terminal.withLock { $0 = (descriptor, settings) }
  }

  static func restoreTerminal() {
    terminal.withLock { kept in
      if var kept { tcsetattr(kept.descriptor, TCSADRAIN, &kept.settings) }
      kept = nil
    }
  }
}
