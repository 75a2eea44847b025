import Foundation
import TestSupport
import Testing

@testable import RealmSwift
@testable import Storage

private class Album: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var title: String
}

private class Photo: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted(indexed: true) var title: String
  @Persisted var pixels: Data
  @Persisted var album: Album?
  @Persisted var similar: List<Photo>
  @Persisted var tags: List<String>
  @Persisted var note: AnyRealmValue
}

/// Realms of encrypted files let go of what they have decrypted while the program goes on reading.
///
/// Limits are those of the process, so that each test has one of its own, in which whatever is let go of is cleared: who
/// still looked there would see zeros.
@Suite struct DecryptedRealmTests {
  private static let count = 3_000
  private static let pixelCount = 5_000
  private static let key = Data(repeating: 5, count: 64)

  private static func pixels(_ number: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: number | 1), count: pixelCount)
  }
  private static func title(_ number: Int) -> String { "photo \(number &* 7_919 % count) of the holidays" }
  private static func similar(_ number: Int) -> [Int] {
    (1...number % 4 + 1).map { (number &* 31 + $0) % count }
  }

  /// The path of a file with photos.
  private static func makePhotos(_ file: ScratchRealm) throws -> String {
    let realm = try file.open()
    try realm.write {
      let albums = (0..<10).map { Album(value: ["number": $0, "title": "album \($0)"]) }
      realm.add(albums)
      let photos = (0..<count).map { number in
        let photo = Photo()
        photo.number = number
        photo.title = title(number)
        photo.pixels = pixels(number)
        photo.album = number % 11 == 10 ? nil : albums[number % 11]
        photo.tags.append(objectsIn: ["tag \(number % 5)", "holidays"])
        photo.note = .string("note \(number)")
        return photo
      }
      realm.add(photos)
      for photo in photos { photo.similar.append(objectsIn: similar(photo.number).map { photos[$0] }) }
    }
    return file.path
  }

  private static func open(_ path: String, heldLimit: Int) throws -> Realm {
    OpenedValues.heldLimit.store(heldLimit, ordering: .relaxed)
    OpenedValues.idleLimit.store(0, ordering: .relaxed)
    return try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: key, objectTypes: [Photo.self, Album.self]))
  }

  @Test func memoryIsBoundedWhileTheProgramReads() async throws {
    let file = ScratchRealm([Photo.self, Album.self], encryptionKey: Self.key)
    await #expect(processExitsWith: .success) { [path = try Self.makePhotos(file) as String] in
      let limit = 500_000
      let realm = try Self.open(path, heldLimit: limit)
      let photos = realm.objects(Photo.self)
      // Sixteen steps of a walk, and the chunks of the other properties.
      func checkMemory(_ allowed: Int = 16 * Self.pixelCount + 400_000) {
        let size = realm.diagnostics.decryptedSize
        precondition(size < limit + allowed, "\(size) bytes")
      }
      func check(_ photo: Photo, _ number: Int) {
        precondition(photo.pixels == Self.pixels(number) && photo.title == Self.title(number))
        checkMemory()
      }
      for (number, photo) in photos.enumerated() { check(photo, number) }
      for number in 0..<photos.count { check(photos[number], number) }
      for number in 0..<Self.count { check(realm.object(ofType: Photo.self, forPrimaryKey: number)!, number) }
      for photo in photos.where({ $0.album.title != "album 3" }) { check(photo, photo.number) }
      for photo in photos.sorted(byKeyPath: "title") { check(photo, photo.number) }
      // A scan looks at it between two chunks.
      let dark = Self.pixels(3)
      let (all, last) = (0..<Self.count, Self.count - 1)
      let expected = all.filter { Self.pixels($0) == dark && $0 > 100 }
      for _ in 0..<2 {
        precondition(photos.where { $0.pixels == dark && $0.number > 100 }.count == expected.count)
        checkMemory(chunkCapacity * Self.pixelCount + 1_000_000)
        let found = photos.where { $0.pixels == dark && $0.number > 100 }
        precondition(found.map(\.number) == expected)
        precondition(
          photos.where { $0.pixels == Self.pixels(last) && $0.number > last - 2 }[0].number >= last - 1)
        checkMemory(chunkCapacity * Self.pixelCount + 1_000_000)
      }
    }
  }

  /// Whatever is read between two steps is right, though everything is let go of at each.
  @Test func whatIsReadInBetweenIsRight() async throws {
    let file = ScratchRealm([Photo.self, Album.self], encryptionKey: Self.key)
    await #expect(processExitsWith: .success) { [path = try Self.makePhotos(file) as String] in
      let realm = try Self.open(path, heldLimit: 0)
      let photos = realm.objects(Photo.self)
      let all = 0..<Self.count
      let ofAlbum = photos.where { $0.album.title == "album 4" }
      let sorted = photos.sorted(byKeyPath: "title", ascending: false)
      let inOrder = all.sorted { Self.title($0) > Self.title($1) }
      let numbersOfAlbum = all.filter { $0 % 11 == 4 }
      for (step, photo) in ofAlbum.enumerated() where step % 7 == 0 {
        let number = photo.number
        check(number == numbersOfAlbum[step], "walk")
        for (similar, expected) in zip(photo.similar, Self.similar(number)) {
          check(similar.number == expected && similar.title == Self.title(expected), "link")
          check(similar.album?.number == (expected % 11 == 10 ? nil : expected % 11), "link of link")
          for (tag, text) in zip(similar.tags, ["tag \(expected % 5)", "holidays"]) {
            check(photos[step].number == step && tag == text, "list of values")
          }
        }
        let place = step * 613 % Self.count
        check(sorted[place].number == inOrder[place], "sorted")
        check(sorted.first!.number == inOrder[0], "first")
        check(sorted.prefix(3).map(\.number) == Array(inOrder.prefix(3)), "prefix")
        if step % 70 == 0 { try Self.checkQueries(realm, number) }
        check(realm.object(ofType: Photo.self, forPrimaryKey: number) == photo, "key")
        check(photo.note == .string("note \(number)") && photo.pixels == Self.pixels(number), "values")
      }
    }
  }

  /// What was found once stays found: nothing that is visible has changed.
  @Test func nothingIsFoundAgain() async throws {
    let file = ScratchRealm([Photo.self, Album.self], encryptionKey: Self.key)
    await #expect(processExitsWith: .success) { [path = try Self.makePhotos(file) as String] in
      let realm = try Self.open(path, heldLimit: 0)
      let photos = realm.objects(Photo.self)
      // Sorted by an index, without the rows being known as a selection.
      let few = photos.where { $0.number < 20 }.sorted(byKeyPath: "title")
      check(few.first != nil, "first")
      check(photos[0].pixels == Self.pixels(0), "pixels")
      realm.refresh()
      check(few.sum(of: \.number) == 190, "sum")
      // In an order that no index has.
      let ordered = photos.sorted(byKeyPath: "album.title").sorted(byKeyPath: "number", ascending: false)
      for place in 0..<200 {
        check(ordered[place].number == Self.count - 1 - place, "place")
        check(photos[place].pixels == Self.pixels(place), "pixels")
      }
      var calls = 0
      let sections = photos.sectioned(
        by: { photo -> Int in
          calls += 1
          return photo.number % 7
        }, sortDescriptors: [.init(keyPath: "number")])
      for section in sections {
        check(section[0].pixels == Self.pixels(section.key), "section")
      }
      check(calls == Self.count, "\(calls) calls")
    }
  }

  private static func checkQueries(_ realm: Realm, _ number: Int) throws {
    let photos = realm.objects(Photo.self)
    let linking = photos.filter("ANY similar.number > 2500 AND ANY tags == 'tag 2'")
    let expected = (0..<count).filter { $0 % 5 == 2 && similar($0).contains { $0 > 2_500 } }
    check(linking.count == expected.count && linking.map(\.number) == expected, "ANY")
    check(
      linking.sorted(byKeyPath: "title").map(\.number) == expected.sorted { title($0) < title($1) },
      "ANY, sorted")
    check(
      linking.where { $0.album.title == "album 4" && $0.pixels == pixels(number) }.map(\.number)
        == expected.filter { $0 % 11 == 4 && pixels($0) == pixels(number) }, "several conditions")
    check(photos.where { $0.note == .string("note \(number)") }.first?.number == number, "mixed")
    let frozen = realm.freeze().objects(Photo.self)
    check(
      photos.distinct(by: ["album.title"]).map(\.number)
        == frozen.distinct(by: ["album.title"]).map(\.number), "distinct")
    check(
      photos.where { $0.album == nil }.sum(of: \.number) == stride(from: 10, to: count, by: 11).reduce(0, +),
      "sum")
  }
}

private func check(_ isRight: Bool, _ what: String) {
  if !isRight { fatalError(what) }
}
