import LibC

/// What the tool does when the library stops it, as it does where it comes upon damage while it reads a property: it tidies up
/// and ends as after any other error of a file.
///
/// The signal's handler only wakes the thread that waits for signals (see `UnfinishedOutput`), which may do anything.
enum LastResort {
  /// What the handler sends to the thread that waits.
  static let signal = SIGUSR1

  static func prepare() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      // Should the thread that waits need what the stopped one holds.
      alarm(10)
      kill(getpid(), LastResort.signal)
      while true { pause() }
    }
    sigfillset(&action.sa_mask)
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV] { sigaction(number, &action, nil) }
    // The parent process may have blocked it.
    var ofTime = sigset_t()
    sigemptyset(&ofTime)
    sigaddset(&ofTime, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &ofTime, nil)
  }

  /// Ends the tool. What stopped it has said why.
  static func end() -> Never {
    UnfinishedOutput.removeAll()
    UnfinishedOutput.restoreTerminal()
    let advice =
      "realm: stopped by the error above, or by a fault of the tool. 'realm verify FILE' lists what is damaged, and 'realm salvage FILE NEW' copies what is sound to a new file.\n"
    _ = advice.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    _exit(ExitStatus.failure.rawValue)
  }
}
