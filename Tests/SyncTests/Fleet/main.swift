import Foundation
import RealmSync

// Clients of one database, which Scripts/test-sync-network starts in several processes.
//
//   SyncFleet make FILE                          makes a file with the class, for `realm sync init`
//   SyncFleet run URL FOLDER FIRST COUNT RATE    opens files FIRST to FIRST + COUNT - 1, and says "ready"; then obeys lines:
//     work      begins to write RATE transactions a second
//     memory    says how much memory is the process's own, in KiB
//     send      ceases to write, and says the number of transactions when the server has all of them
//     compare   writes the objects of each file to FOLDER/NUMBER.txt, and says the number of objects with changes that wait

/// Says a line at once, also into a pipe. `fflush(nil)` would wait for the thread that reads commands.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

@MainActor func run(_ arguments: [String]) async throws {
  guard arguments.count == 5, let first = Int(arguments[2]), let count = Int(arguments[3]),
    let rate = Double(arguments[4])
  else { throw Realm.Error(.fail, "SyncFleet run URL FOLDER FIRST COUNT RATE") }
  let fleet = try await Fleet(
    arguments[0], folder: URL(fileURLWithPath: arguments[1]), first: first, count: count)
  say("ready")
  let commands = AsyncStream<String> { continuation in
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
  }
  var work: Task<Void, any Error>?
  for await command in commands {
    switch command {
    case "work":
      work = Task { @MainActor in
        while !Task.isCancelled {
          try fleet.work()
          try? await Task.sleep(for: .seconds(1 / rate))
        }
      }
    case "memory": say("\(try Fleet.memory())")
    case "send":
      work?.cancel()
      try await work?.value
      try await fleet.send()
      say("\(fleet.writes)")
    case "compare": say("\(try await fleet.writeTexts())")
    default: throw Realm.Error(.fail, "There is no command '\(command)'.")
    }
  }
}

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  switch arguments.first {
  case "make" where arguments.count == 2:
    let file = URL(fileURLWithPath: arguments[1])
    _ = try Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [FleetDog.self]))
  case "run": try await run(Array(arguments.dropFirst()))
  default: throw Realm.Error(.fail, "SyncFleet make FILE, or SyncFleet run URL FOLDER FIRST COUNT RATE")
  }
} catch {
  say("error: \(error)")
  exit(1)
}
