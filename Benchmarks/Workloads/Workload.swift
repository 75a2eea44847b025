/// One row of the comparison.
struct Workload {
  /// The state that a repetition starts from.
  enum Start {
    /// An empty database, and the objects to insert in memory.
    case emptyFile
    /// The file after W1, open and unchanged through all repetitions.
    case dogs
    /// A copy of the file after W1 for each repetition.
    case copyOfDogs
    /// One copy of the file after W1, which all repetitions go on changing.
    case keptCopyOfDogs
    /// The file after W1 and W15, open and unchanged through all repetitions.
    case people
  }

  /// How often a system runs the workload in its turn. What only reads is run several times, so that the figure is
  /// not that of a cache which the system before has emptied.
  var runsInTurn: Int {
    switch start {
    case .dogs, .people: 5
    case .emptyFile, .copyOfDogs, .keptCopyOfDogs: 1
    }
  }

  let work: String
  let title: String
  /// The highest accepted ratio of OpenRealm's time to SQLite's.
  let target: Double
  let repetitions: Int
  let start: Start
  var durability = Durability.full
  /// Whether a system takes part.
  let includes: (any MeasuredDatabase.Type) -> Bool
  /// What a program would have in its hands before the timed part.
  var prepare: ((any MeasuredDatabase) throws -> Void)?
  /// The timed part. The second argument counts repetitions from 0.
  let run: (any MeasuredDatabase, Int) throws -> Answer
  /// Turns the answer, or the state that the timed part left behind, into what is compared.
  let review: (any MeasuredDatabase, Answer) throws -> Answer
  /// What the reference model says about a repetition.
  let expected: (Int) -> Answer
  /// What is known beforehand about 1,000,000 dogs.
  let published: Answer?
  /// The longest accepted time for each dog, whatever the other systems need; nil for none.
  var secondsPerRow: Double?
}

extension Workload {
  /// A workload that every system can do.
  static func forAll(
    _ work: String, _ title: String, target: Double, repetitions: Int, start: Start,
    durability: Durability = .full, published: Answer? = nil,
    expected: @escaping (Int) -> Answer,
    review: @escaping (any MeasuredDatabase, Answer) throws -> Answer = { $1 },
    run: @escaping (any MeasuredDatabase, Int) throws -> Answer
  ) -> Workload {
    Workload(
      work: work, title: title, target: target, repetitions: repetitions, start: start,
      durability: durability, includes: { _ in true }, run: run, review: review, expected: expected,
      published: published)
  }

  /// A workload for the systems with queries.
  static func forQuerying(
    _ work: String, _ title: String, target: Double, repetitions: Int, start: Start,
    published: Answer? = nil, expected: @escaping (Int) -> Answer,
    review: @escaping (any QueryingDatabase, Answer) throws -> Answer = { $1 },
    run: @escaping (any QueryingDatabase, Int) throws -> Answer
  ) -> Workload {
    Workload(
      work: work, title: title, target: target, repetitions: repetitions, start: start,
      includes: { $0 is any QueryingDatabase.Type },
      run: { try run($0 as! any QueryingDatabase, $1) },
      review: { try review($0 as! any QueryingDatabase, $1) },
      expected: expected, published: published)
  }
}
