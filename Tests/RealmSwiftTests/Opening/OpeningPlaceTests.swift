import Foundation
import RealmSwift
import Testing

/// Diagnostics name the file and line in which the realms of a file were opened.
@Suite struct OpeningPlaceTests {
  let file = ScratchRealm([AsyncNote.self])
  private var configuration: Realm.Configuration { file.configuration }

  private static let thisFile = "RealmSwiftTests/OpeningPlaceTests.swift"

  /// The lines of this file in which those who read the realm's file opened it.
  private static func lines(_ realm: Realm) -> Set<Int> {
    Set(realm.diagnostics.readers.filter { $0.file == thisFile }.map { $0.line! })
  }

  private static func reader(_ realm: Realm, _ owner: String) -> Realm.Diagnostics.Reader? {
    realm.diagnostics.readers.first { $0.owner == owner }
  }

  /// Of the calls that get the same realm, the first counts.
  @Test func theFirstCallCounts() throws {
    let queue = DispatchQueue(label: "first call")
    try queue.sync {
      let (realm, line) = (try Realm(configuration: configuration, queue: queue), #line)
      #expect(Self.lines(realm) == [line])
      let text = "\(realm.diagnostics)"
      #expect(text.contains("the queue 'first call' since "))
      #expect(text.hasSuffix(", opened at \(Self.thisFile):\(line)"))
      let again = try Realm(configuration: configuration, queue: queue)
      #expect(Self.lines(again) == [line])
      again.invalidate()
      try again.write { again.add(AsyncNote(value: [1, ""])) }
      #expect(Self.lines(again) == [line])
    }
    // It was closed meanwhile.
    try queue.sync {
      let (realm, line) = (try Realm(configuration: configuration, queue: queue), #line)
      #expect(Self.lines(realm) == [line])
    }
  }

  @Test func aPlaceOfOnesOwn() throws {
    let configuration = configuration
    try onOtherThread {
      let realm = try Realm(configuration: configuration, file: "Kennel/Dogs.swift", line: 7)
      let reader = realm.diagnostics.readers.first
      #expect(reader?.file == "Kennel/Dogs.swift" && reader?.line == 7)
    }
  }

  @Test func defaultConfigurations() async {
    await #expect(processExitsWith: .success) {
      let file = ScratchRealm([AsyncNote.self])
      Realm.Configuration.defaultConfiguration = file.configuration
      try onOtherThread {
        let (realm, line) = (try Realm(), #line)
        try #require(OpeningPlaceTests.lines(realm) == [line])
      }
      try onOtherThread {
        let (realm, line) = (try Realm(fileURL: file.configuration.fileURL!), #line)
        try #require(OpeningPlaceTests.lines(realm) == [line])
      }
      try onOtherThread {
        let (realm, line) = (try Realm(queue: nil), #line)
        try #require(OpeningPlaceTests.lines(realm) == [line])
      }
      try await OpeningPlaceTests.openOnTheMainActor()
    }
  }

  @MainActor private static func openOnTheMainActor() async throws {
    let (realm, line) = (try await Realm(), #line)
    try #require(lines(realm) == [line])
  }

  @Test @MainActor func theMainActor() async throws {
    let (realm, line) = (try await Realm(configuration: configuration), #line)
    #expect(Self.lines(realm) == [line])
    #expect(try await Self.lines(Realm.open(configuration: configuration)) == [line])
  }

  private actor Reader {
    func lines(_ configuration: Realm.Configuration) async throws -> (Set<Int>, opened: Int) {
      let (realm, line) = (try await Realm(configuration: configuration, actor: self), #line)
      return (OpeningPlaceTests.lines(realm), line)
    }

    func linesOfOpen(_ configuration: Realm.Configuration) async throws -> (Set<Int>, opened: Int) {
      let (realm, line) = (try await Realm.open(configuration: configuration), #line)
      return (OpeningPlaceTests.lines(realm), line)
    }
  }

  @Test func actors() async throws {
    let first = try await Reader().lines(configuration)
    #expect(first.0 == [first.opened])
    let second = try await Reader().linesOfOpen(configuration)
    #expect(second.0 == [second.opened])
  }

  @Test func callbacks() async throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "callback")
    let line = #line + 2
    let lines = try await withCheckedThrowingContinuation { continuation in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        continuation.resume(with: result.map { Self.lines($0) })
      }
    }
    #expect(lines == [line])
  }

  /// What comes from a realm has its place.
  @Test func whatComesFromARealm() throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "observing")
    try onOtherThread {
      let (realm, line) = (try Realm(configuration: configuration), #line)
      let note = try realm.write { realm.create(AsyncNote.self, value: [1, ""]) }
      let frozen = note.freeze()
      #expect(Self.reader(realm, "a frozen Realm")?.line == line)
      let token = realm.objects(AsyncNote.self).observe(on: queue) { _ in }
      queue.sync {}
      #expect(Self.reader(realm, "the queue 'observing'")?.line == line)
      token.invalidate()
      @ThreadSafe var safe = note
      let wrapper = _safe
      nonisolated(unsafe) let sent = frozen
      try onOtherThread {
        let thawed = sent.thaw()!
        #expect(Self.lines(thawed.realm!) == [line])
      }
      try onOtherThread { #expect(Self.lines(wrapper.wrappedValue!.realm!) == [line]) }
    }
  }

  /// A reference keeps its version until it is resolved.
  @Test func references() throws {
    let configuration = configuration
    try onOtherThread {
      let (realm, line) = (try Realm(configuration: configuration), #line)
      let note = try realm.write { realm.create(AsyncNote.self, value: [1, ""]) }
      let reference = ThreadSafeReference(to: note)
      for _ in 0..<3 { try realm.write { note.text += "." } }
      let oldest = realm.diagnostics.readers[0]
      #expect(oldest.owner == "a ThreadSafeReference" && oldest.line == line)
      #expect(oldest.version == realm.diagnostics.newestVersion - 3)
      #expect(realm.resolve(reference)?.text == "...")
      #expect(realm.diagnostics.activeVersionCount == 1)
      #expect(Self.reader(realm, "a ThreadSafeReference") == nil)
    }
  }

  /// The initialisers are what they are without the place, too.
  @Test func asFunctions() throws {
    let configuration = configuration
    try onOtherThread {
      let open: (Realm.Configuration, DispatchQueue?) throws -> Realm = Realm.init(configuration:queue:)
      let first = try open(configuration, nil)
      let second = try [configuration].map { try Realm(configuration: $0) }[0]
      #expect(first == second)
      #expect(first.diagnostics.readers.first?.owner.hasPrefix("the thread") == true)
      #expect(Self.lines(first) == [])
      let byFile: (URL) throws -> Realm = Realm.init(fileURL:)
      let byQueue: (DispatchQueue?) throws -> Realm = Realm.init(queue:)
      withExtendedLifetime((byFile, byQueue)) {}
    }
  }
}

extension Realm: OpensByConfiguration {}

/// A program's own protocol, which a realm fulfils as it is.
private protocol OpensByConfiguration {
  init(configuration: Realm.Configuration, queue: DispatchQueue?) throws
  init(fileURL: URL) throws
}
