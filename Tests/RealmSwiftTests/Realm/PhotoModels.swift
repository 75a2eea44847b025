import Foundation

@testable import RealmSwift
@testable import Storage

class Album: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var title: String
  @Persisted var photos: List<Photo>
  @Persisted var set: MutableSet<Photo>
  @Persisted var byName: Map<String, Photo?>
  @Persisted(originProperty: "album") var shown: LinkingObjects<Photo>
}

class Photo: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted(indexed: true) var title: String
  @Persisted var pixels: Data
  @Persisted var album: Album?
  @Persisted var similar: List<Photo>
  @Persisted var tags: List<String>
  @Persisted var labels: MutableSet<String>
  @Persisted var texts: Map<String, String>
  @Persisted var note: AnyRealmValue
  @Persisted var details: AnyRealmValue
  @Persisted var id: UUID
  @Persisted var rating: Double?
  @Persisted(fullText: true) var story: String
}

/// An encrypted file with photos, much of which is in no memory after it was read: each test has a process of its own,
/// since limits are those of the process, in which whatever is let go of is cleared. Who still looked there would see
/// zeros.
enum Photos {
  static let count = 3_000
  static let pixelCount = 5_000
  static let key = Data(repeating: 5, count: 64)
  static let types: [ObjectBase.Type] = [Photo.self, Album.self]
  /// The album that has all of them.
  static let everything = 100

  static func pixels(_ number: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: number | 1), count: pixelCount)
  }
  static func title(_ number: Int) -> String { "photo \(number &* 7_919 % count) of the holidays" }
  static func similar(_ number: Int) -> [Int] {
    (1...number % 4 + 1).map { (number &* 31 + $0) % count }
  }
  static func id(_ number: Int) -> UUID {
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(number >> 8), UInt8(number & 255)))
  }

  /// The path of a file with them, which is a copy of one that is made once.
  static func make(_ file: ScratchRealm) throws -> String {
    try FileManager.default.copyItem(at: original.get().url, to: file.url)
    return file.path
  }

  private static let original = Result<ScratchRealm, any Error> {
    let file = ScratchRealm(types, encryptionKey: key)
    try file.write { realm in
      let albums = (0..<10).map { Album(value: ["number": $0, "title": "album \($0)"]) }
      realm.add(albums)
      let photos = (0..<count).map { photo($0, albums) }
      realm.add(photos)
      for photo in photos { photo.similar.append(objectsIn: similar(photo.number).map { photos[$0] }) }
      let everything = realm.create(Album.self, value: ["number": everything, "title": "everything"])
      everything.photos.append(objectsIn: photos)
      everything.set.insert(objectsIn: photos)
      for photo in photos { everything.byName["\(photo.number)"] = photo }
    }
    return file
  }

  private static func photo(_ number: Int, _ albums: [Album]) -> Photo {
    let photo = Photo()
    photo.number = number
    photo.title = title(number)
    photo.pixels = pixels(number)
    photo.album = number % 11 == 10 ? nil : albums[number % 11]
    photo.tags.append(objectsIn: ["tag \(number % 5)", "holidays"])
    photo.labels.insert(objectsIn: ["label \(number % 3)", "a label"])
    photo.texts["place"] = "place \(number % 7)"
    photo.note = .string("note \(number)")
    photo.details = AnyRealmValue.fromDictionary([
      "number": .int(number), "parts": AnyRealmValue.fromArray([.int(number), .string("part \(number)")]),
    ])
    photo.id = id(number)
    photo.rating = number % 2 == 0 ? Double(number) : nil
    photo.story = "A long story of number \(number), which is word\(number % 50)"
    return photo
  }

  static func open(_ path: String, heldLimit: Int) throws -> Realm {
    DatabaseFile.setDecryptedLimits(held: heldLimit, idle: 0)
    return try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: key, objectTypes: types))
  }

  /// For a test's process, which fails by ending.
  static func check(_ isRight: Bool, _ what: String) {
    if !isRight { fatalError(what) }
  }
}
