import CSwiftRuntime

/// What runs the work of an actor, and whether that is what runs right now.
///
/// The concurrency runtime tells which executor is at work, and asks executors of the program's own, in two functions
/// whose Swift interface stops the program when the answer is no; `UnownedSerialExecutor` is a reference of two words, as
/// they take it (swift/stdlib/public/Concurrency/Actor.cpp; swift/include/swift/ABI/Executor.h). Checked by running a
/// task on an executor that is made for it. Otherwise an actor's own executor is asked; and whether the default executor
/// of an actor is at work is unknown: then every task is taken for one of the actor's.
package struct ActorExecutor: @unchecked Sendable {
  /// Nil when the runtime is not known.
  private let reference: SerialExecutorReference?

  static let isKnown = RuntimeFact.currentExecutor.isSo {
    RuntimeFact.signaturesAreKnown && hasExecutorQuestions()
      && MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<SerialExecutorReference>.size
      && Probe.isAsDescribed
  }

  package init(of actor: any Actor) {
    reference = Self.isKnown ? Self.reference(actor.unownedExecutor) : nil
  }

  /// Whether what runs is isolated to the actor, which is nil when it is gone.
  package func isCurrent(_ actor: (any Actor)?) -> Bool {
    guard let reference else { return mayBeCurrent(actor) }
    if currentExecutor().identity == reference.identity { return true }
    // Executors of the program's own may know better; that of an actor that is gone must not be asked.
    guard let actor else { return false }
    return withExtendedLifetime(actor) { isIsolatingCurrentContext(reference) == 1 }
  }

  /// What the current task is isolated to, if that is anything, and known.
  package static var current: AnyObject? {
    guard isKnown else { return nil }
    return currentExecutor().identity.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  private func mayBeCurrent(_ actor: (any Actor)?) -> Bool {
    if let actor, let executor = actor.unownedExecutor.asSerialExecutor(),
      // The default executor of an actor is taken for the actor itself, which is none.
      executor !== actor || actor is any SerialExecutor, let answer = executor.isIsolatingCurrentContext()
    {
      return answer
    }
    return withUnsafeCurrentTask { $0 != nil }
  }

  private static func reference(_ executor: UnownedSerialExecutor) -> SerialExecutorReference {
    unsafeBitCast(executor, to: SerialExecutorReference.self)
  }

  // MARK: Trying it

  /// An executor that runs its work on request, on the calling thread.
  private final class ProbeExecutor: SerialExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    func run() {
      while let job = jobs.popLast() { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private actor Probe {
    private let executor: ProbeExecutor
    /// Only used on one thread.
    private nonisolated(unsafe) var wasCurrent = false

    init(_ executor: ProbeExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated var isCurrent: Bool {
      let reference = ActorExecutor.reference(unownedExecutor)
      return currentExecutor().identity == reference.identity
    }

    private func look() { wasCurrent = isCurrent }

    static var isAsDescribed: Bool {
      let executor = ProbeExecutor()
      let probe = Probe(executor)
      if probe.isCurrent { return false }
      // Begins at once, and hands the rest to the executor.
      Task.immediate { await probe.look() }
      executor.run()
      return probe.wasCurrent && !probe.isCurrent
        && reference(probe.unownedExecutor).identity
          == UnsafeRawPointer(Unmanaged.passUnretained(executor).toOpaque())
    }
  }
}
