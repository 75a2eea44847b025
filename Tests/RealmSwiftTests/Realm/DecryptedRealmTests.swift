import Foundation
import TestSupport
import Testing

@testable import RealmSwift
@testable import Storage

/// Realms of encrypted files let go of what they have decrypted while the program goes on reading.
@Suite struct DecryptedRealmTests {
  /// Tests memory while a program reads.
  private struct Bound {
    let realm: Realm
    let limit: Int

    /// - Parameter allowed: Sixteen steps of a walk, and the chunks of the other properties.
    func check(_ allowed: Int = 16 * Photos.pixelCount + 400_000) {
      let size = realm.diagnostics.decryptedSize
      Photos.check(size < limit + allowed, "\(size) bytes")
    }

    func check(_ photo: Photo, _ number: Int) {
      Photos.check(photo.pixels == Photos.pixels(number) && photo.title == Photos.title(number), "\(number)")
      check()
    }
  }

  @Test func memoryIsBoundedWhileTheProgramReads() async throws {
    let file = ScratchRealm(Photos.types, encryptionKey: Photos.key)
    await #expect(processExitsWith: .success) { [path = try Photos.make(file) as String] in
      let realm = try Photos.open(path, heldLimit: 500_000)
      let bound = Bound(realm: realm, limit: 500_000)
      Self.walk(realm, bound)
      Self.scan(realm, bound)
    }
  }

  private static func walk(_ realm: Realm, _ bound: Bound) {
    let photos = realm.objects(Photo.self)
    for (number, photo) in photos.enumerated() { bound.check(photo, number) }
    for number in 0..<photos.count { bound.check(photos[number], number) }
    for number in 0..<photos.count {
      bound.check(realm.object(ofType: Photo.self, forPrimaryKey: number)!, number)
    }
    for photo in photos.where({ $0.album.title != "album 3" }) { bound.check(photo, photo.number) }
    for photo in photos.sorted(byKeyPath: "title") { bound.check(photo, photo.number) }
  }

  /// A scan looks at it between two chunks.
  private static func scan(_ realm: Realm, _ bound: Bound) {
    let photos = realm.objects(Photo.self)
    let dark = Photos.pixels(3)
    let (all, last) = (0..<Photos.count, Photos.count - 1)
    let expected = all.filter { Photos.pixels($0) == dark && $0 > 100 }
    for _ in 0..<2 {
      Photos.check(photos.where { $0.pixels == dark && $0.number > 100 }.count == expected.count, "count")
      bound.check(chunkCapacity * Photos.pixelCount + 1_000_000)
      let found = photos.where { $0.pixels == dark && $0.number > 100 }
      Photos.check(found.map(\.number) == expected, "found")
      Photos.check(
        photos.where { $0.pixels == Photos.pixels(last) && $0.number > last - 2 }[0].number >= last - 1,
        "first")
      bound.check(chunkCapacity * Photos.pixelCount + 1_000_000)
    }
  }

  /// Places in lists, sets, maps, sections and linking objects, `first` and `last`, each as the only thing that is asked.
  @Test func memoryIsBoundedWhereTheProgramAsksForPlaces() async throws {
    let file = ScratchRealm(Photos.types, encryptionKey: Photos.key)
    await #expect(processExitsWith: .success) { [path = try Photos.make(file) as String] in
      let realm = try Photos.open(path, heldLimit: 500_000)
      let bound = Bound(realm: realm, limit: 500_000)
      let photos = realm.objects(Photo.self)
      let everything = realm.object(ofType: Album.self, forPrimaryKey: Photos.everything)!
      let (list, set, map) = (everything.photos, everything.set, everything.byName)
      let numbers = 0..<Photos.count
      for number in numbers { bound.check(list[number], number) }
      for number in numbers { bound.check(set[number], number) }
      for number in numbers { bound.check(map["\(number)"]!!, number) }
      for number in numbers { bound.check(photos.where { $0.title == Photos.title(number) }.first!, number) }
      for number in numbers { bound.check(photos.where { $0.title == Photos.title(number) }.last!, number) }
      let sections = photos.sectioned(by: { $0.number % 2 }, sortDescriptors: [.init(keyPath: "number")])
      let even = sections[0]
      for place in 0..<even.count { bound.check(even[place], 2 * place) }
      let album = realm.object(ofType: Album.self, forPrimaryKey: 0)!
      let shown = album.shown
      for place in 0..<shown.count { bound.check(shown[place], 11 * place) }
    }
  }

  @Test func whatIsReadInBetweenIsRight() async throws {
    let file = ScratchRealm(Photos.types, encryptionKey: Photos.key)
    await #expect(processExitsWith: .success) { [path = try Photos.make(file) as String] in
      try Photos.readWalking(Photos.open(path, heldLimit: 0))
    }
  }

  @Test func whatIsReadOfFrozenRealmsIsRight() async throws {
    let file = ScratchRealm(Photos.types, encryptionKey: Photos.key)
    await #expect(processExitsWith: .success) { [path = try Photos.make(file) as String] in
      nonisolated(unsafe) let frozen = try Photos.open(path, heldLimit: 0).freeze()
      try Photos.readWalking(frozen)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do { try Photos.readWalking(frozen, every: 30) } catch { fatalError("\(error)") }
      }
    }
  }

  /// What was found once stays found: nothing that is visible has changed.
  @Test func nothingIsFoundAgain() async throws {
    let file = ScratchRealm(Photos.types, encryptionKey: Photos.key)
    await #expect(processExitsWith: .success) { [path = try Photos.make(file) as String] in
      let realm = try Photos.open(path, heldLimit: 0)
      let photos = realm.objects(Photo.self)
      // Sorted by an index, without the rows being known as a selection.
      let few = photos.where { $0.number < 20 }.sorted(byKeyPath: "title")
      Photos.check(few.first != nil, "first")
      Photos.check(photos[0].pixels == Photos.pixels(0), "pixels")
      realm.refresh()
      Photos.check(few.sum(of: \.number) == 190, "sum")
      // In an order that no index has.
      let ordered = photos.sorted(byKeyPath: "album.title").sorted(byKeyPath: "number", ascending: false)
      for place in 0..<200 {
        Photos.check(ordered[place].number == Photos.count - 1 - place, "place")
        Photos.check(photos[place].pixels == Photos.pixels(place), "pixels")
      }
      var calls = 0
      let sections = photos.sectioned(
        by: { photo -> Int in
          calls += 1
          return photo.number % 7
        }, sortDescriptors: [.init(keyPath: "number")])
      for section in sections {
        Photos.check(section[0].pixels == Photos.pixels(section.key), "section")
      }
      Photos.check(calls == Photos.count, "\(calls) calls")
    }
  }
}
