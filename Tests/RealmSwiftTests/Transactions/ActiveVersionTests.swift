import Foundation
import RealmSwift
import TestSupport
import Testing

/// What `maximumNumberOfActiveVersions` counts, and every kind of write that it stops.
@Suite struct ActiveVersionTests {
  private static func configuration(_ file: ScratchRealm) -> Realm.Configuration {
    var configuration = file.configuration
    configuration.maximumNumberOfActiveVersions = 5
    return configuration
  }

  /// As many versions as are allowed, the oldest of which is kept by what is returned.
  private static func fill(_ realm: Realm) throws -> Realm {
    let frozen = realm.freeze()
    for number in 0..<4 { try realm.write { realm.add(AsyncNote(value: [number, ""])) } }
    // The last one that may begin makes one too many.
    try realm.write { realm.add(AsyncNote(value: [4, ""])) }
    FileHandle.standardError.write(Data("filled\n".utf8))
    return frozen
  }

  @Test func everyKindOfWriteIsStopped() async {
    for kind in 0..<7 {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [kind = kind as Int] in
        let file = ScratchRealm([AsyncNote.self])
        let configuration = ActiveVersionTests.configuration(file)
        if kind < 4 {
          let queue = DispatchQueue(label: "writer")
          nonisolated(unsafe) var kept: [Realm] = []
          try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            kept = [realm, try ActiveVersionTests.fill(realm)]
            switch kind {
            case 0: try realm.write {}
            case 1: realm.beginWrite()
            case 2: realm.writeAsync {}
            default: realm.beginAsyncWrite {}
            }
          }
          waitToBeStopped()
          withExtendedLifetime(kept) {}
        } else if kind == 4 {
          let actor = WritingActor()
          try await actor.write(configuration)
        } else {
          try await ActiveVersionTests.writeOnMainActor(configuration, isQuick: kind == 5)
        }
      }
      expectStop(
        result, saying: "filled", "Number of active versions (6) in the Realm exceeded the limit of 5",
        in: "kind \(kind)")
    }
  }

  private actor WritingActor {
    func write(_ configuration: Realm.Configuration) async throws {
      let realm = try await Realm(configuration: configuration, actor: self)
      let frozen = try ActiveVersionTests.fill(realm)
      try await realm.asyncWrite {}
      withExtendedLifetime(frozen) {}
    }
  }

  @MainActor private static func writeOnMainActor(
    _ configuration: Realm.Configuration, isQuick: Bool
  ) async throws {
    let realm = try await Realm(configuration: configuration)
    let frozen = try fill(realm)
    if isQuick {
      let shown = ObservedRealmObject(wrappedValue: realm.objects(AsyncNote.self)[0])
      shown.projectedValue.text.wrappedValue = "new"
    } else {
      try await realm.asyncWrite {}
    }
    withExtendedLifetime(frozen) {}
  }

  /// Commits that the disk is still to get keep the version that it has, which is not the program's doing.
  @Test func commitsInFlightDoNotCount() throws {
    let file = ScratchRealm([AsyncNote.self])
    let queue = DispatchQueue(label: "writer")
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var kept: Realm?
    let count = 200
    try queue.sync {
      let realm = try Realm(configuration: Self.configuration(file), queue: queue)
      kept = realm
      for number in 0..<count {
        realm.writeAsync {
          _ = realm.create(AsyncNote.self, value: [number, ""], update: .all)
        } onComplete: { error in
          #expect(error == nil)
          done.signal()
        }
      }
    }
    for _ in 0..<count { done.waitOrStop() }
    queue.sync {
      #expect(kept?.objects(AsyncNote.self).count == count)
      kept = nil
    }
  }

  /// A limit that is not exceeded stops nothing, whoever keeps a version for a while.
  @Test func whoCounts() throws {
    let file = ScratchRealm([AsyncNote.self])
    let queue = DispatchQueue(label: "writer")
    try queue.sync {
      let realm = try Realm(configuration: Self.configuration(file), queue: queue)
      func write() throws { try realm.write { realm.create(AsyncNote.self, value: [1, ""], update: .all) } }
      #expect(realm.configuration.maximumNumberOfActiveVersions == 5)
      try write()
      #expect(realm.diagnostics.activeVersionCount == 1)
      var reference: ThreadSafeReference<AsyncNote>? = ThreadSafeReference(
        to: realm.objects(AsyncNote.self)[0])
      for _ in 0..<3 { try write() }
      #expect(realm.diagnostics.activeVersionCount == 4)
      withExtendedLifetime(reference) {}
      reference = nil
      try write()
      #expect(realm.diagnostics.activeVersionCount == 1)
      var frozen: AsyncNote? = realm.objects(AsyncNote.self)[0].freeze()
      for _ in 0..<5 { try write() }
      #expect(realm.diagnostics.activeVersionCount == 6)
      #expect(frozen?.text == "")
      frozen = nil
      // Now there are few again.
      try write()
      #expect(realm.diagnostics.activeVersionCount == 1)
    }
  }
}

extension AsyncNote: Identifiable {}
