import Dispatch
import Foundation
import RealmSwift

/// How long after a commit an observer in another process is told.
struct OtherProcess {
  let path: String
  let dataset: Dataset

  static let work = "other process"
  static let childCommand = "child-observe"
  private static let commitCount = 300

  func run() throws -> Measurement {
    let realm = try Realm(configuration: OpenRealmSubject.configuration(path: path, durability: .relaxed))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [Self.childCommand, path, "\(Self.commitCount)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // It says that it is ready.
    _ = try output.fileHandleForReading.read(upToCount: 1)
    var commits: [Double] = []
    for id in 0..<Self.commitCount {
      usleep(3000)
      try realm.write {
        let dog = try OpenRealmSubject.found(realm.object(ofType: Dog.self, forPrimaryKey: id))
        dog.age = (dog.age + 1) % 20
      }
      commits.append(Stopwatch.now())
    }
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let told = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    // A commit that was told of together with the next one counts with that.
    var samples = Samples()
    for commit in commits {
      guard let arrival = told.first(where: { $0 >= commit }) ?? told.last else { break }
      samples.append(max(0, arrival - commit))
    }
    guard samples.values.count == commits.count else {
      throw BenchmarkError("The other process was not told.")
    }
    var measurement = Measurement(work: Self.work, title: "tell another process", target: .atMost(5e-3))
    measurement.figures[.openRealm] = samples.median
    return measurement
  }

  /// In the other process: prints when it was told.
  static func runChild(_ arguments: [String]) throws {
    let count = Int(arguments[2])!
    let queue = DispatchQueue(label: "observer")
    let isDone = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var times: [Double] = []
    nonisolated(unsafe) var version = 0
    let token = try queue.sync {
      let realm = try Realm(configuration: configuration(arguments[1]), queue: queue)
      return realm.observe { _, realm in
        times.append(Stopwatch.now())
        version = realm.objects(Dog.self).where { $0.id < count }.sum(ofProperty: "age")
        isDone.signal()
      }
    }
    FileHandle.standardOutput.write(Data("*".utf8))
    // Until nothing comes any more.
    while isDone.wait(timeout: .now() + 2) == .success {}
    token.invalidate()
    queue.sync { for time in times { print(time) } }
    withExtendedLifetime(version) {}
  }

  private static func configuration(_ path: String) -> Realm.Configuration {
    OpenRealmSubject.configuration(path: path, durability: .relaxed)
  }
}
