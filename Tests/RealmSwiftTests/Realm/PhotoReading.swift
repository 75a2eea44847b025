import Foundation

@testable import RealmSwift

// Reading photos in all ways. Whatever is read in between is right, though everything may be let go of at each step.
extension Photos {
  /// - Parameter step: So many are left out from one to the next.
  static func readWalking(_ realm: Realm, every step: Int = 7) throws {
    let photos = realm.objects(Photo.self)
    let ofAlbum = photos.where { $0.album.title == "album 4" }
    let sorted = photos.sorted(byKeyPath: "title", ascending: false)
    let inOrder = (0..<count).sorted { title($0) > title($1) }
    let numbersOfAlbum = (0..<count).filter { $0 % 11 == 4 }
    check(ofAlbum.count == numbersOfAlbum.count, "count")
    for (position, photo) in ofAlbum.enumerated() where position % step == 0 {
      let number = photo.number
      check(number == numbersOfAlbum[position], "walk")
      for (similar, expected) in zip(photo.similar, similar(number)) {
        check(similar.number == expected && similar.title == title(expected), "link")
        check(similar.album?.number == (expected % 11 == 10 ? nil : expected % 11), "link of link")
        for (tag, text) in zip(similar.tags, ["tag \(expected % 5)", "holidays"]) {
          check(photos[position].number == position && tag == text, "list of values")
        }
      }
      let place = position * 613 % count
      check(sorted[place].number == inOrder[place], "sorted")
      check(sorted.first!.number == inOrder[0] && sorted.last!.number == inOrder.last!, "first and last")
      check(sorted.prefix(3).map(\.number) == Array(inOrder.prefix(3)), "prefix")
      check(realm.object(ofType: Photo.self, forPrimaryKey: number) == photo, "key")
      if position % (10 * step) == 0 { try readQueries(realm, number) }
      readValues(photo, number)
    }
  }

  private static func readValues(_ photo: Photo, _ number: Int) {
    check(photo.note == .string("note \(number)") && photo.pixels == pixels(number), "values")
    check(
      photo.id == id(number) && photo.rating == (number % 2 == 0 ? Double(number) : nil), "UUID, optional")
    check(photo.labels.contains("label \(number % 3)") && photo.labels[0] == "a label", "set")
    check(!photo.labels.contains("label") && photo.labels.count == 2, "set")
    check(photo.texts["place"] == "place \(number % 7)" && photo.texts.keys == ["place"], "map")
    check(photo.tags.index(of: "holidays") == 1 && Array(photo.tags.sorted()).first == "holidays", "index")
    let details = photo.details.dictionaryValue!
    check(details["number"] == .int(number) && details.count == 2, "nested dictionary")
    check(
      details["parts"]?.listValue.map(Array.init) == [.int(number), .string("part \(number)")], "nested list")
    check(photo.value(forKeyPath: "title") as? String == title(number), "key-value coding")
    check(photo["note"] as? String == "note \(number)" && photo["number"] as? Int == number, "by name")
    check(photo.description.contains("place \(number % 7)"), "description")
    check(photo.similar.map(\.number) == similar(number), "list")
    if let album = photo.album {
      check(album.shown.count == (0..<count).count { $0 % 11 == album.number }, "linking objects")
      check(album.shown[0].number == album.number, "linking object")
    }
  }

  static func readQueries(_ realm: Realm, _ number: Int) throws {
    let photos = realm.objects(Photo.self)
    let all = 0..<count
    let linking = photos.filter("ANY similar.number > 2500 AND ANY tags == 'tag 2'")
    let expected = all.filter { $0 % 5 == 2 && similar($0).contains { $0 > 2_500 } }
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
    check(photos.max(of: \.rating) == Double(count - 2) && photos.average(of: \.number) != nil, "aggregates")
    let found = photos.where { $0.story.fullTextSearch("word7 story") }
    check(found.map(\.number) == all.filter { $0 % 50 == 7 }, "words")
    check(photos.ranked(by: \.story, "word7", limit: 3).count == 3, "ranking")
    check(!linking.sorted(byKeyPath: "title").explain().isEmpty, "explanation")
    let everything = realm.object(ofType: Album.self, forPrimaryKey: everything)!
    check(everything.photos.sum(of: \.number) == all.reduce(0, +), "sum of a list")
    check(everything.photos.where { $0.title == title(number) }.first?.number == number, "query on a list")
    check(everything.photos.index(of: photos[number]) == number, "index in a list")
    let groups = photos.grouped(by: \.album?.number).counts
    check(groups[nil] == all.count { $0 % 11 == 10 }, "groups")
    let sections = photos.sectioned(by: { $0.number % 7 }, sortDescriptors: [.init(keyPath: "number")])
    check(sections[1][2].number == 15 && sections.count == 7, "sections")
    let encoded = try JSONEncoder().encode(photos[number].tags)
    check(String(decoding: encoded, as: UTF8.self) == "[\"tag \(number % 5)\",\"holidays\"]", "encoded")
    let dynamic = realm.dynamicObjects("Photo")
    check(dynamic[number]["title"] as? String == title(number), "dynamic")
    check((dynamic[number]["tags"] as? List<String>)?[1] == "holidays", "dynamic list")
  }
}
