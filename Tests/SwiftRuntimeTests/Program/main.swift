import Foundation
import Observation
import RealmSwift
import SwiftRuntime

// A program that tells what it has read, written and observed in a new realm, and what it knows of the runtime.
//
//   RuntimeTestProgram <folder> <facts that are said not to hold>...

for name in CommandLine.arguments.dropFirst(2) { RuntimeFact(rawValue: name)!.deny() }

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let configuration = Realm.Configuration(fileURL: folder.appendingPathComponent("test.realm"))

/// Lets the main thread wait for what runs elsewhere.
func wait<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
  nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do { result = .success(try await body()) } catch { result = .failure(error) }
    done.signal()
  }
  done.wait()
  return try result!.get()
}

final class Count: @unchecked Sendable {
  var value = 0
}

// Classes.

let realm = try Realm(configuration: configuration)
for schema in realm.schema.objectSchema {
  print("class", schema.className, schema.properties.map(\.name))
}
print("generic", RuntimeNumbered<Int>.className())

// Properties, read and written.

try realm.write {
  for id in 0..<200 {
    let employee = RuntimeEmployee(value: [
      "id": id, "name": "e\(id)", "number": id * 7, "anything": id % 2 == 0 ? id : "odd",
    ])
    employee.dogs.append(RuntimeDog(value: ["name": "d\(id)", "age": id % 15]))
    employee.notes["key"] = "note \(id)"
    employee.address = RuntimeAddress(value: ["city": "c\(id % 10)"])
    if id % 3 == 0 { employee.score = Double(id) / 2 }
    realm.add(employee)
  }
  realm.create(RuntimePerson.self, value: ["id": 1, "name": "Ann"])
  realm.create(RuntimePerson.self, value: ["id": 2])
  realm.create(RuntimePerson.self, value: ["id": 1, "score": 0.5] as [String: Any], update: .modified)
  realm.object(ofType: RuntimePerson.self, forPrimaryKey: 1)!.dogs.append(
    objectsIn: realm.objects(RuntimeDog.self).prefix(3))
  realm.create(RuntimeCounter.self, value: ["second": 5])
  realm.add(RuntimeCounter())
}
for employee in realm.objects(RuntimeEmployee.self).where({ $0.number > 1300 || $0.address.city == "c4" }) {
  print(
    employee.id, employee.name, employee.number, employee.anything, employee.score as Any,
    employee.dogs[0].age,
    employee.notes["key"] as Any, employee.address?.city as Any)
}
print(
  "people",
  Array(realm.objects(RuntimePerson.self)).map { "\($0.id) \($0.name) \($0.dogs.count) \($0.score as Any)" })
let counters = Array(realm.objects(RuntimeCounter.self))
print("counters", counters.map { "\($0.first) \($0.second) \($0.uses) \($0.text) \($0.friend as Any)" })
print("by key", realm.object(ofType: RuntimeEmployee.self, forPrimaryKey: 77)!.name)
print(
  "memory", RuntimeEmployee().number, RuntimeEmployee(value: ["id": 3]).name,
  RuntimeEmployee(value: ["id": 3]).dogs.count)
print("object", RuntimeDog(value: ["name": "Rex"]))

// Walks whose objects are kept, strongly and weakly.

var strong: [RuntimeEmployee] = []
var weak: [(Int, () -> RuntimeEmployee?)] = []
for employee in realm.objects(RuntimeEmployee.self) {
  if employee.id % 3 == 0 { strong.append(employee) }
  if employee.id % 3 == 1 { weak.append((employee.id, { [weak employee] in employee })) }
}
print("kept", strong.map(\.id))
print("wrong", weak.filter { $0.1() != nil && $0.1()?.id != $0.0 }.count)

// Links back, and what objects are shown as.

let dog = realm.objects(RuntimeDog.self).first!
print("owners", Array(dog.owners).map(\.name))
print(
  "projected",
  Array(realm.objects(RuntimeDogProjection.self).prefix(2)).map { "\($0.called) \($0.people.count)" })

// Frozen objects, and other threads.

nonisolated(unsafe) let frozen = dog.freeze()
print("same frozen realm", realm.freeze() == frozen.realm)
try realm.write { dog.name = "Rex" }
print("frozen", frozen.name, dog.name, frozen.thaw()!.name)
print("same realm", try Realm(configuration: configuration) == realm)
let reference = ThreadSafeReference(to: dog)
print(
  "other thread",
  try wait { () -> String in
    let realm = try Realm(configuration: configuration)
    return realm.resolve(reference)!.name + frozen.name
  })
print(
  "gone",
  try wait { () -> Int in
    let other = Realm.Configuration(fileURL: folder.appendingPathComponent("other.realm"))
    var classes = 0
    for _ in 0..<20 { classes += try Realm(configuration: other).schema.objectSchema.count }
    return classes
  })

// What is tracked and observed.

let tracked = Count()
@MainActor func track() -> String {
  withObservationTracking {
    dog.name
  } onChange: {
    tracked.value += 1
  }
}
print("tracked", track())
try realm.write { dog.age = 3 }
print("not read", tracked.value)
try realm.write { dog.name = "Bo" }
print("read", tracked.value, track())

var changes: [String] = []
let token = realm.objects(RuntimePerson.self).observe { change in
  switch change {
  case .initial(let people): changes.append("initial \(people.count)")
  case .update(let people, let deletions, let insertions, let modifications):
    changes.append("update \(people.count) \(deletions) \(insertions) \(modifications)")
  case .error(let error): changes.append("\(error)")
  }
}
let objectToken = dog.observe { (change: ObjectChange<RuntimeDog>) in
  if case .change(_, let properties) = change {
    changes.append("\(properties.map { "\($0.name) \($0.newValue as Any)" })")
  }
}
@MainActor func runMainLoop(until count: Int) {
  while changes.count < count { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
}
runMainLoop(until: 1)
try realm.write {
  realm.create(RuntimePerson.self, value: ["id": 9])
  realm.object(ofType: RuntimePerson.self, forPrimaryKey: 2)!.name = "Bea"
}
runMainLoop(until: 2)
try realm.write { dog.age = 4 }
runMainLoop(until: 4)
print("observed", changes)
token.invalidate()
objectToken.invalidate()

// A thread with a run loop hears of the writes of others.

let heard = Count()
let isReady = DispatchSemaphore(value: 0)
let hasEnded = DispatchSemaphore(value: 0)
let thread = Thread {
  nonisolated(unsafe) let realm = try! Realm(configuration: configuration)
  nonisolated(unsafe) var token: NotificationToken?
  RunLoop.current.perform {
    token = realm.objects(RuntimeDog.self).observe { change in
      if case .initial = change { isReady.signal() }
      if case .update(_, _, _, let modifications) = change { heard.value += modifications.count }
    }
  }
  while heard.value == 0 { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
  token?.invalidate()
  hasEnded.signal()
}
thread.start()
isReady.wait()
try realm.write { dog.age = 5 }
hasEnded.wait()
print("heard", heard.value)

// Actors.

print(
  "actor",
  try wait { () -> String in
    let keeper = Keeper()
    try await keeper.open(configuration)
    return try await keeper.rename(2, to: "Cleo")
  })
print(
  "queue actor",
  try wait { () -> String in
    let keeper = QueueKeeper()
    try await keeper.open(configuration)
    return await keeper.names
  })
realm.refresh()
print("renamed", realm.object(ofType: RuntimePerson.self, forPrimaryKey: 2)!.name)

print("#", realm.diagnostics.missingRuntimeFacts.joined(separator: " "))
