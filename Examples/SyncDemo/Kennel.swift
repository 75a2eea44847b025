import Foundation
import RealmSync

/// The dogs of one person, in a file that is synchronised.
@MainActor final class Kennel {
  private let person: String
  private let realm: Realm
  private let session: SyncSession
  private var token: NotificationToken?
  /// The dogs as they were shown last, to tell what others have changed.
  private var shown: [String: ShownDog] = [:]

  /// Opens the file of a person in a folder. The server's socket is in the same folder.
  init(_ person: String, folder: URL) async throws {
    self.person = person
    let url = "postgresql://\(person)@/demo?host=\(folder.path)/server"
    let configuration = Realm.Configuration(
      sync: SyncConfiguration(url: url, pollInterval: 2),
      fileURL: folder.appending(path: "\(person).realm"), objectTypes: [Dog.self])
    realm = try await Realm.open(configuration: configuration)
    session = realm.syncSession!
  }

  /// Waits until the file has what the server has, and begins to tell what others change.
  func begin() async {
    if let reason = await wait(for: .download) { say("not in step yet: \(reason)") }
    realm.refresh()
    let dogs = realm.objects(Dog.self)
    shown = present(dogs)
    say("\(person)'s file: \(dogs.count) dogs.")
    token = dogs.observe { [weak self] change in
      guard case .update(let dogs, _, _, _) = change else { return }
      self?.tell(dogs)
    }
  }

  private func present(_ dogs: Results<Dog>) -> [String: ShownDog] {
    Dictionary(uniqueKeysWithValues: dogs.map { ($0.name, ShownDog($0)) })
  }

  /// Prints what somebody else has changed.
  private func tell(_ dogs: Results<Dog>) {
    let now = present(dogs)
    for (name, dog) in now.sorted(by: { $0.key < $1.key }) {
      guard let former = shown[name] else {
        say(dog.writer.isEmpty ? "\(name) came." : "\(name) came from \(dog.writer).")
        continue
      }
      if former.age != dog.age { say("\(dog.changed(from: former)).") }
    }
    for name in shown.keys.sorted() where now[name] == nil { say("\(name) is gone.") }
    shown = now
  }

  /// Does what was typed. Returns false at the end.
  func perform(_ command: Command) async throws -> Bool {
    switch command {
    case .add(let name):
      try write(name) {
        realm.create(Dog.self, value: ["name": name, "age": 0, "writer": person], update: .modified)
      }
      await report("\(name) is here.")
    case .remove(let name):
      guard let dog = dog(name) else { return true }
      try write(name) { realm.delete(dog) }
      await report("\(name) is gone.")
    case .age(let name, let years):
      guard let dog = dog(name) else { return true }
      try write(name) {
        dog.age = years
        dog.writer = person
      }
      await report("\(name) is \(years).")
    case .list:
      for dog in realm.objects(Dog.self).sorted(byKeyPath: "name") { say("  \(dog.name), \(dog.age)") }
    case .offline:
      session.suspend()
      say("offline: what you do now waits in \(person).realm.")
    case .online: await goOnline()
    case .quit: return false
    }
    return true
  }

  private func dog(_ name: String) -> Dog? {
    let dog = realm.object(ofType: Dog.self, forPrimaryKey: name)
    if dog == nil { say("There is no dog '\(name)'.") }
    return dog
  }

  private func write(_ name: String, _ change: () -> Void) throws {
    try realm.write(change)
    shown[name] = realm.object(ofType: Dog.self, forPrimaryKey: name).map { ShownDog($0) }
  }

  /// Maximum time that a command waits for the server.
  private static let patience = Duration.seconds(5)

  /// Waits for transfers, for a limited time. Returns why they have not ended; nil if they have.
  private func wait(for directions: SyncSession.ProgressDirection...) async -> String? {
    let waiting = Task { [session] in
      for direction in directions { try await session.wait(for: direction) }
    }
    let limit = Task {
      try await Task.sleep(for: Self.patience)
      waiting.cancel()
    }
    defer { limit.cancel() }
    do {
      try await waiting.value
      return nil
    } catch is CancellationError {
      return switch session.health.status {
      case .offline(_, let reason), .refused(_, let reason), .stopped(let reason): reason
      case .current, .behind: "the server has not answered for \(Self.patience)"
      }
    } catch {
      return error.localizedDescription
    }
  }

  /// Says whether a change was sent, or waits.
  private func report(_ text: String) async {
    guard session.state == .active else {
      // The session counts on its own thread.
      try? await Task.sleep(for: .milliseconds(100))
      let health = session.health
      let age = health.oldestWaiting.map { Int(Date().timeIntervalSince($0)) } ?? 0
      say("\(text) \(health.waiting) change\(health.waiting == 1 ? " waits" : "s wait") (\(age) s).")
      return
    }
    let start = ContinuousClock.now
    if let reason = await wait(for: .upload) { return say("\(text) It waits: \(reason)") }
    let time = (ContinuousClock.now - start) / .milliseconds(1)
    say("\(text) Uploaded in \(Int(time)) ms.")
  }

  private func goOnline() async {
    let mine = present(realm.objects(Dog.self))
    let count = session.health.waiting
    session.resume()
    if let reason = await wait(for: .upload, .download) { return say("not in step yet: \(reason)") }
    realm.refresh()
    let now = present(realm.objects(Dog.self))
    let otherwise = now.sorted { $0.key < $1.key }.compactMap { name, dog in
      mine[name].flatMap { $0.age == dog.age ? nil : dog.changed(from: $0) }
    }
    say(
      "sent \(count) change\(count == 1 ? "" : "s")"
        + (otherwise.isEmpty
          ? "." : ", \(otherwise.count) came out otherwise: \(otherwise.joined(separator: ", "))."))
    shown = now
  }
}
