/// Runs workloads on all systems in turn, so that whatever else the machine does meets them alike.
struct WorkloadRunner {
  let types: [any MeasuredDatabase.Type]
  let files: FileStore
  let dataset: Dataset
  let options: Options
  let log: RunLog

  func run(_ workload: Workload) throws -> Measurement {
    let types = types.filter(workload.includes)
    try checkReference(of: workload)
    var kept: [System: any MeasuredDatabase] = [:]
    for type in types {
      kept[type.system] = try openKept(type, for: workload)
    }
    var measurement = Measurement(
      work: workload.work, title: workload.title, target: .ratio(workload.target))
    var samples: [System: Samples] = [:]
    for repetition in 0..<repetitions(of: workload) {
      let expected = workload.expected(repetition)
      for offset in types.indices {
        // Each round begins with another system.
        let type = types[(offset + repetition) % types.count]
        guard !measurement.failures.contains(type.system) else { continue }
        do {
          for _ in 0..<workload.runsInTurn {
            let (seconds, answer) = try measure(workload, repetition, on: type, kept: kept[type.system])
            guard answer.satisfies(expected) else {
              throw BenchmarkError("The answer is \(answer) where \(expected) was expected.")
            }
            samples[type.system, default: Samples()].append(seconds)
          }
        } catch {
          measurement.failures.insert(type.system)
          log.failure(of: type.system, in: workload.work, error)
        }
      }
    }
    for database in kept.values {
      try database.close()
    }
    for system in measurement.failures {
      samples[system] = nil
    }
    measurement.figures = samples.compactMapValues(\.median)
    log.samples(samples, of: workload.work)
    return measurement
  }

  private func repetitions(of workload: Workload) -> Int {
    // A stream that runs on over the repetitions has been generated for the workload's own number.
    guard let number = options.repetitions else { return workload.repetitions }
    return workload.start == .keptCopyOfDogs ? min(number, workload.repetitions) : number
  }

  /// A mistake in the data or in the model would otherwise pass for one of every system.
  private func checkReference(of workload: Workload) throws {
    guard dataset.count == 1_000_000, let published = workload.published else { return }
    let expected = workload.expected(0)
    guard expected == published else {
      throw BenchmarkError(
        "\(workload.work): the reference gives \(expected), the published value is \(published).")
    }
  }

  private func openKept(
    _ type: any MeasuredDatabase.Type, for workload: Workload
  ) throws -> (any MeasuredDatabase)? {
    let path: String
    switch workload.start {
    case .emptyFile, .copyOfDogs:
      return nil
    case .dogs:
      path = try files.fileAfterInsert(for: type)
    case .keptCopyOfDogs:
      path = try files.copyOfFileAfterInsert(for: type, label: workload.work)
    case .people:
      path = try files.fileWithPeople(for: type as! any QueryingDatabase.Type)
    }
    return try type.init(path: path, durability: workload.durability)
  }

  private func measure(
    _ workload: Workload, _ repetition: Int, on type: any MeasuredDatabase.Type,
    kept: (any MeasuredDatabase)?
  ) throws -> (seconds: Double, answer: Answer) {
    if let kept {
      return try measure(workload, repetition, on: kept)
    }
    let isInsertion = workload.start == .emptyFile
    let path =
      isInsertion
      ? files.newPath(for: type, label: workload.work)
      : try files.copyOfFileAfterInsert(for: type, label: workload.work)
    defer { files.remove(path) }
    let database = try type.init(path: path, durability: workload.durability)
    try workload.prepare?(database)
    let result = try measure(workload, repetition, on: database)
    database.discardPrepared()
    try database.close()
    return result
  }

  private func measure(
    _ workload: Workload, _ repetition: Int, on database: any MeasuredDatabase
  ) throws -> (seconds: Double, answer: Answer) {
    let start = Stopwatch.now()
    let answer = try workload.run(database, repetition)
    let seconds = Stopwatch.now() - start
    return (seconds, try workload.review(database, answer))
  }
}
