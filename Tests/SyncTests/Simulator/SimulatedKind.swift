import Storage
import Sync

/// A kind of property that a simulation works with, in classes of its own beside `Dog` and `Tag`.
///
/// A new kind is a class in a file of its own, and a line in `SimulatedKinds.all`. Each simulation makes one, which keeps what
/// its rules need. It takes all random numbers from `Simulation.random`, so that a seed repeats a simulation.
protocol SimulatedKind: AnyObject {
  /// The tables of the kind. The tables of a catalogue are numbered: the first of these gets the number `first`.
  func tables(first: Int) -> [TableDescription]

  /// The counters among the properties.
  var counters: Set<PropertyName> { get }

  /// The routing properties among the properties.
  var routing: Set<PropertyName> { get }

  /// The class that a file may leave out of synchronisation for a while; nil if there is none.
  var classToLeaveOut: String? { get }

  /// The SQL that is run once, when the tables have been made on the server. The schema is `app`.
  var constraints: String { get }

  /// The SQL that inserts what a simulation begins with.
  var preparation: String { get }

  /// Changes something in a file, as its user does.
  func work(_ file: SimulatedFile, _ simulation: Simulation) throws

  /// Returns a statement of the SQL program; nil if the kind has none.
  func statement(_ simulation: Simulation) -> String?

  /// Takes note that the transaction of the SQL program has ended.
  func endStatements(isCommitted: Bool)

  /// Takes note that a file has lost its versions after one by a power cut.
  func forget(_ file: SimulatedFile, after version: UInt64)

  /// Takes note that a copy of a file has been made, which is a file of the simulation from now on.
  func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile)

  /// Takes note that a backup has replaced a file.
  ///
  /// - Parameters:
  ///   - version: The version of the backup.
  ///   - sent: The version up to which the server has the changes of the file.
  func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64)

  /// Takes note that a file has been told of refused objects.
  func note(_ rejected: [RejectedObject], in file: SimulatedFile)

  /// Returns the objects of one of the kind's classes as the server should have them; nil if each column has what the server
  /// has.
  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]?

  /// Returns objects of the server without what no file shows.
  func visible(
    _ objects: [ExactValue: [ExactValue]], of syncClass: SyncClass
  ) -> [ExactValue: [ExactValue]]

  /// Verifies the rules of the kind. All files have what the server has.
  func check(_ simulation: Simulation) throws
}

/// A kind that keeps an account of the elements of collections.
protocol RecordedKind: SimulatedKind {
  var record: ElementRecord { get set }
}

extension RecordedKind {
  func forget(_ file: SimulatedFile, after version: UInt64) { record.forget(file, after: version) }

  func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile) { record.noteCopy(copy, of: original) }

  func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64) {
    record.noteRestore(file, to: version, sent: sent)
  }
}

extension SimulatedKind {
  var counters: Set<PropertyName> { [] }
  var routing: Set<PropertyName> { [] }
  var classToLeaveOut: String? { nil }
  var constraints: String { "" }
  var preparation: String { "" }
  func statement(_ simulation: Simulation) -> String? { nil }
  func endStatements(isCommitted: Bool) {}
  func forget(_ file: SimulatedFile, after version: UInt64) {}
  func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile) {}
  func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64) {}
  func note(_ rejected: [RejectedObject], in file: SimulatedFile) {}
  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? { nil }
  func visible(
    _ objects: [ExactValue: [ExactValue]], of syncClass: SyncClass
  ) -> [ExactValue: [ExactValue]] { objects }
  func check(_ simulation: Simulation) throws {}
}

/// All kinds of properties of the simulations, besides scalar ones.
enum SimulatedKinds {
  static let all: [@Sendable () -> any SimulatedKind] = [
    { SimulatedCounters() }, { LinkKind() }, { EmbeddedKind() }, { SetKind() }, { SimulatedLists() },
    { LinkedElementKind() }, { MixedElementKind() }, { DocumentKind() },
    { DocumentMapKind() }, { MixedSetKind() },
  ]

  /// The kinds of a simulation: all of them, none, or one, so that each gets simulations of its own.
  static func kinds(ofSeed seed: UInt64) -> [any SimulatedKind] {
    let choice = Int(seed % UInt64(all.count + 2))
    return choice == 0 ? all.map { $0() } : choice <= all.count ? [all[choice - 1]()] : []
  }
}

/// The classes of a simulation.
struct SimulatedModel: Sendable {
  static let dog = 0
  static let tag = 1

  /// The classes with scalar properties.
  static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Dog",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "name", type: .string),
          Column(name: "age", type: .int, isIndexed: true),
          Column(name: "nick", type: .string, isNullable: true),
        ]),
      TableDescription(
        name: "Tag",
        columns: [
          Column(name: "name", type: .string, isPrimaryKey: true),
          Column(name: "count", type: .int, isNullable: true), Column(name: "at", type: .date),
        ]),
    ])

  /// The model of the classes with scalar properties.
  static func make() throws -> SyncModel { try SimulatedModel([]).model }

  let catalogue: Catalogue
  let model: SyncModel
  private let counters: Set<PropertyName>
  private let routing: Set<PropertyName>

  init(_ kinds: [any SimulatedKind]) throws {
    var catalogue = Self.catalogue
    var (counters, routing): (Set<PropertyName>, Set<PropertyName>) = ([], [])
    for kind in kinds {
      catalogue.tables += kind.tables(first: catalogue.tables.count)
      counters.formUnion(kind.counters)
      routing.formUnion(kind.routing)
    }
    (self.catalogue, self.counters, self.routing) = (catalogue, counters, routing)
    model = try SyncModel.read(catalogue, counters: counters, routing: routing)
  }

  /// Returns the model without a class.
  func model(without name: String) throws -> SyncModel {
    let names = model.classes.map(\.name).filter { $0 != name }
    return try SyncModel.read(
      catalogue, classes: names, counters: counters.filter { $0.className != name },
      routing: routing.filter { $0.className != name })
  }
}
