import Foundation

/// What the command line asks for.
struct Options {
  var works: Set<String> = []
  var rows = 1_000_000
  var repetitions: Int?
  var systems = Set(System.allCases)
  var isSQLiteTuned = false
  var directory = ".build/bench"
  var resultPath = ".build/bench.json"

  static let usage = """
    usage: Benchmarks [options] [work …]        for example: Benchmarks W3 W9 property-int
      --rows N              dogs, a multiple of 1,000; 1,000,000 unless said here or in BENCHMARK_ROWS
      --repetitions N       of every work, instead of each one's own 3 or 5
      --systems a,b         some of openrealm, sqlite, lmdb
      --encrypted           encrypt OpenRealm's files
      --frozen              read frozen realms; for works that only read
      --tuned-sqlite        give SQLite a 256 MB cache and a memory-mapped file
      --directory PATH      where the database files go while it runs; .build/bench
      --results PATH        where the results go; .build/bench.json
    """

  init(arguments: [String], environment: [String: String]) throws {
    if let rows = environment["BENCHMARK_ROWS"] { try setRows(rows) }
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      func value() throws -> String {
        guard let value = arguments.popFirst() else { throw BenchmarkError("\(argument) needs a value.") }
        return value
      }
      switch argument {
      case "--rows": try setRows(value())
      case "--repetitions":
        guard let number = Int(try value()), number > 0 else {
          throw BenchmarkError("--repetitions needs a number above 0.")
        }
        repetitions = number
      case "--systems":
        systems = Set(
          try value().split(separator: ",").map { name in
            guard let system = System(rawValue: String(name)) else {
              throw BenchmarkError("There is no system \(name).")
            }
            return system
          })
      // The programs that this one starts are to know, too.
      case "--encrypted": setenv("BENCHMARK_ENCRYPTED", "1", 1)
      case "--frozen": setenv("BENCHMARK_FROZEN", "1", 1)
      case "--tuned-sqlite": isSQLiteTuned = true
      case "--directory": directory = try value()
      case "--results": resultPath = try value()
      default:
        guard !argument.hasPrefix("-") else { throw BenchmarkError("There is no option \(argument).") }
        works.insert(argument)
      }
    }
  }

  func includes(_ work: String) -> Bool {
    works.isEmpty || works.contains { $0.lowercased() == work.lowercased() }
  }

  /// A work with a spelling mistake must not pass for one that was measured.
  func checkWorks(known: [String]) throws {
    let names = Set(known.map { $0.lowercased() })
    for work in works.sorted() where !names.contains(work.lowercased()) {
      throw BenchmarkError("There is no work \(work). There are: \(known.joined(separator: ", ")).")
    }
  }

  /// A person owns a thousand dogs, and all dogs have an owner.
  private mutating func setRows(_ text: String) throws {
    guard let number = Int(text), number >= Dataset.dogsPerPerson, number % Dataset.dogsPerPerson == 0 else {
      throw BenchmarkError("The number of rows must be a multiple of \(Dataset.dogsPerPerson).")
    }
    rows = number
  }
}
