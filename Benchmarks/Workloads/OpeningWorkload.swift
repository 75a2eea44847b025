import Foundation

/// W18: a new process opens the file and reads one dog.
struct OpeningWorkload {
  let types: [any QueryingDatabase.Type]
  let files: FileStore
  let dataset: Dataset
  let repetitions: Int
  let log: RunLog

  static let childCommand = "child-open"

  func run() throws -> [Measurement] {
    [
      try measure(work: "W18", title: "open and read, warm", target: 1.5, isCold: false),
      try measure(work: "W18 cold", title: "open and read, cold", target: 3, isCold: true),
    ]
  }

  private func measure(work: String, title: String, target: Double, isCold: Bool) throws -> Measurement {
    var measurement = Measurement(work: work, title: title, target: .ratio(target))
    var samples: [System: Samples] = [:]
    for repetition in 0..<repetitions {
      for offset in types.indices {
        let type = types[(offset + repetition) % types.count]
        guard !measurement.failures.contains(type.system) else { continue }
        do {
          let path = try files.fileAfterInsert(for: type)
          if isCold {
            guard try PageCache.drop(path) else {
              throw BenchmarkError("The pages of \(path) could not be dropped from memory.")
            }
          } else {
            try Self.readThrough(path)
          }
          samples[type.system, default: Samples()].append(try openInChild(type, path: path))
        } catch {
          measurement.failures.insert(type.system)
          log.failure(of: type.system, in: work, error)
        }
      }
    }
    for system in measurement.failures {
      samples[system] = nil
    }
    measurement.figures = samples.compactMapValues(\.median)
    log.samples(samples, of: work)
    return measurement
  }

  private func openInChild(_ type: any QueryingDatabase.Type, path: String) throws -> Double {
    let id = DogGenerator.renamedID(count: dataset.count)
    let words = try ChildProcess.run([Self.childCommand, type.system.rawValue, path, String(id)])
    guard words.count == 3, let seconds = Double(words[0]) else {
      throw BenchmarkError("The child process printed \(words).")
    }
    guard words[1] == DogGenerator.renamedDog, words[2] == String(dataset.ages[id]) else {
      throw BenchmarkError("The child process read \(words[1]), \(words[2]) years.")
    }
    return seconds
  }

  /// Has the operating system hold the whole file in memory.
  static func readThrough(_ path: String) throws {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw SystemError("open", path: path) }
    defer { close(file) }
    withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 4096) { buffer in
      while read(file, buffer.baseAddress!, buffer.count) > 0 {}
    }
  }
}

/// What a child process finds in the file that it opens.
struct OpenedDog {
  /// From before the file is opened to after the dog's properties are read.
  var seconds: Double
  var name: String
  var age: Int
}
