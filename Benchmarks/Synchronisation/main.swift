import Foundation

// Measures synchronisation beside PostgreSQL's own statements, in one run and on one machine.
// Arguments: the parts to measure (`bulk`, `changes`, `latency`, `poll`, `writers`, `audit`), all without any. `OBJECTS` in the environment
// is the number of objects, 1,000,000 if it is not set.
do {
  let parts = Set(CommandLine.arguments.dropFirst())
  let known = ["bulk", "changes", "latency", "poll", "writers", "audit"]
  if let other = parts.first(where: { !known.contains($0) }) {
    print("There is no part '\(other)': choose among \(known.joined(separator: ", ")).")
    exit(2)
  }
  let objects = ProcessInfo.processInfo.environment["OBJECTS"].flatMap { Int($0) } ?? 1_000_000
  func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
  if isWanted("bulk") || isWanted("changes") {
    try await BulkTransfers(objects: objects).run(withChanges: isWanted("changes"))
  }
  if isWanted("latency") { try await SmallChanges(objects: min(objects, 100_000)).measureLatency() }
  if isWanted("poll") { try await SmallChanges(objects: min(objects, 100_000)).measurePolls() }
  if isWanted("audit") { try await AuditTimes(objects: objects).run() }
  if isWanted("writers") { try await LocalWriters(objects: objects).run() }
} catch {
  print("*** \(error)")
  exit(1)
}
