import Foundation
import RealmSwift
import TestSupport
import Testing

/// Objects and collections that no realm knows work as ordinary Swift objects.
@Suite struct UnmanagedTests {
  final class Notebook: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var token: UUID
    @Persisted var opened: Date
    @Persisted var title: String
    @Persisted var pages: List<Int>
    @Persisted var marks: List<String?>
    @Persisted var tags: MutableSet<String>
    @Persisted var index: Map<String, Int>
    @Persisted var notes: List<Note>
    @Persisted var noteSet: MutableSet<Note>
    @Persisted var noteMap: Map<String, Note?>
    @Persisted var any: AnyRealmValue
    @Persisted var favourite: Note?
  }

  final class Note: Object {
    @Persisted var text: String
    @Persisted var stars: Int
    @Persisted(originProperty: "notes") var notebooks: LinkingObjects<Notebook>
  }

  private func note(_ text: String, _ stars: Int = 0) -> Note { Note(value: [text, stars] as [Any]) }

  @Test func defaultsAreMadeOnce() {
    let notebook = Notebook()
    #expect(notebook.token == notebook.token)
    #expect(notebook.id == notebook.id)
    #expect(notebook.opened == notebook.opened)
    #expect(abs(notebook.opened.timeIntervalSinceNow) < 3600)
    #expect(Notebook().token != Notebook().token)
    #expect(Notebook().id != Notebook().id)
    #expect(notebook.title == "")
    #expect(notebook.any == .none)
    #expect(notebook.favourite == nil)
    #expect(notebook.pages.isEmpty && notebook.tags.isEmpty && notebook.index.count == 0)
  }

  @Test func defaultsSurviveBeingAdded() throws {
    let file = ScratchRealm([Notebook.self, Note.self])
    let realm = try file.open()
    let notebook = Notebook()
    let (id, token, opened) = (notebook.id, notebook.token, notebook.opened)
    try realm.write { realm.add(notebook) }
    #expect(notebook.id == id && notebook.token == token && notebook.opened == opened)
    #expect(realm.object(ofType: Notebook.self, forPrimaryKey: id) == notebook)
  }

  @Test func list() {
    let pages = Notebook().pages
    pages.append(objectsIn: [5, 3, 8])
    pages.insert(1, at: 0)
    pages.append(3)
    #expect(Array(pages) == [1, 5, 3, 8, 3])
    #expect(pages.index(of: 3) == 2)
    #expect(pages.index(of: 99) == nil)
    #expect(pages.first == 1 && pages.last == 3)
    pages.move(from: 4, to: 1)
    pages.swapAt(0, 2)
    #expect(Array(pages) == [5, 3, 1, 3, 8])
    pages[1] = 4
    pages.removeSubrange(2..<4)
    #expect(Array(pages) == [5, 4, 8])
    pages.replaceSubrange(0..<1, with: [7, 7])
    pages.removeLast()
    #expect(Array(pages) == [7, 7, 4])
    #expect(pages.min() == 4 && pages.max() == 7 && pages.sum() == 18)
    #expect(pages.average() == 6.0)
    pages.remove(atOffsets: [0, 2])
    pages.append(contentsOf: [9])
    #expect(Array(pages) == [7, 9])
    pages.removeAll()
    #expect(pages.isEmpty && pages.sum() == 0 && pages.max() == nil)
    #expect(pages.realm == nil && !pages.isInvalidated)
  }

  @Test func listOfObjects() {
    let notebook = Notebook()
    let notes = [note("a", 1), note("b", 5), note("c", 3)]
    notebook.notes.append(objectsIn: notes)
    #expect(notebook.notes.index(of: notes[1]) == 1)
    #expect(notebook.notes.index(of: note("b", 5)) == nil)
    #expect(notebook.notes.max(ofProperty: "stars") as Int? == 5)
    #expect(notebook.notes.sum(ofProperty: "stars") as Int == 9)
    #expect(notebook.notes.value(forKey: "text") as? [String] == ["a", "b", "c"])
    notebook.notes.setValue(4, forKey: "stars")
    #expect(notes.map(\.stars) == [4, 4, 4])
    #expect(notebook.notes[2] === notes[2])
    #expect(notes[0].notebooks.isEmpty)
  }

  @Test func set() {
    let (first, second) = (Notebook().tags, Notebook().tags)
    first.insert(objectsIn: ["a", "b", "a"])
    second.insert(objectsIn: ["b", "c"])
    #expect(first.count == 2)
    #expect(first.contains("a") && !first.contains("c"))
    #expect(first.intersects(second))
    #expect(!first.isSubset(of: second))
    first.formUnion(second)
    #expect(first.count == 3)
    #expect(second.isSubset(of: first))
    first.subtract(second)
    #expect(Array(first) == ["a"])
    first.formIntersection(second)
    #expect(first.isEmpty)
    second.remove("b")
    second.remove("never there")
    #expect(Array(second) == ["c"])
    let notes = Notebook().noteSet
    let (one, other) = (note("same"), note("same"))
    notes.insert(objectsIn: [one, other, one])
    #expect(notes.count == 2)
    #expect(notes.contains(one))
    second.removeAll()
    #expect(second.isEmpty)
  }

  @Test func map() {
    let index = Notebook().index
    index["one"] = 1
    index["two"] = 2
    // No realm, no rules for keys.
    index["a.b"] = 3
    index["$d"] = 4
    #expect(index.count == 4 && index["a.b"] == 3)
    #expect(Set(index.keys) == ["one", "two", "a.b", "$d"])
    #expect(index.values.sorted() == [1, 2, 3, 4])
    #expect(index.sum() == 10 && index.min() == 1)
    index["one"] = nil
    index.removeObject(for: "$d")
    index.merge(["two": 20, "three": 30].map { (key: $0.key, value: $0.value) }) { old, new in old + new }
    #expect(index["two"] == 22 && index["three"] == 30)
    #expect(index.contains { key, value in key == "three" && value == 30 })
    index.removeAll()
    #expect(index.count == 0)
    let notes = Notebook().noteMap
    let kept = note("kept")
    notes["kept"] = kept
    notes["nothing"] = .some(nil)
    #expect(notes["kept"]! === kept)
    #expect(notes["nothing"] == .some(nil))
    #expect(notes["absent"] == nil)
  }

  @Test func collectionsStayTheSameInstance() throws {
    let notebook = Notebook()
    let (pages, tags, index) = (notebook.pages, notebook.tags, notebook.index)
    let other = List<Int>()
    other.append(objectsIn: [1, 2])
    notebook.pages = other
    #expect(notebook.pages === pages)
    #expect(Array(pages) == [1, 2])
    other.append(3)
    #expect(pages.count == 2)
    notebook.pages = pages
    #expect(Array(pages) == [1, 2])
    let file = ScratchRealm([Notebook.self, Note.self])
    let realm = try file.open()
    try realm.write { realm.add(notebook) }
    #expect(notebook.pages === pages && notebook.tags === tags && notebook.index === index)
    #expect(pages.realm == realm && tags.realm == realm && index.realm == realm)
    try realm.write {
      notebook.pages = other
      notebook.pages = notebook.pages
    }
    #expect(Array(pages) == [1, 2, 3])
    #expect(other.realm == nil)
  }

  @Test func equalityOfCollections() {
    let (a, b) = (Notebook(), Notebook())
    #expect(a.pages == b.pages && a.tags == b.tags && a.index == b.index)
    a.pages.append(1)
    a.tags.insert(objectsIn: ["x", "y"])
    a.index["k"] = 1
    #expect(a.pages != b.pages && a.tags != b.tags && a.index != b.index)
    b.pages.append(1)
    b.tags.insert(objectsIn: ["y", "x"])
    b.index["k"] = 1
    #expect(a.pages == b.pages && a.tags == b.tags && a.index == b.index)
  }

  @Test func nestedAnyValues() {
    let notebook = Notebook()
    notebook.any = .fromDictionary(["list": .fromArray([.int(1)]), "note": .object(note("n"))])
    notebook.any.dictionaryValue?["list"]?.listValue?.append(.string("two"))
    notebook.any.dictionaryValue?["more"] = .bool(true)
    #expect(notebook.any.dictionaryValue?.count == 3)
    #expect(notebook.any.dictionaryValue?["list"]?.listValue?.count == 2)
    #expect(notebook.any.dictionaryValue?["note"]?.object(Note.self)?.text == "n")
    #expect(AnyRealmValue.fromArray([.int(1)]) == .fromArray([.int(1)]))
    #expect(AnyRealmValue.fromArray([.int(1)]) != .fromArray([.double(1)]))
  }

  @Test func keyValueCoding() {
    let notebook = Notebook()
    notebook["title"] = "Diary"
    notebook.setValue([1, 2], forKey: "pages")
    notebook.setValue(note("best", 5), forKey: "favourite")
    notebook.setValue(3, forKeyPath: "favourite.stars")
    #expect(notebook.title == "Diary")
    #expect(Array(notebook.pages) == [1, 2])
    #expect(notebook.value(forKeyPath: "favourite.stars") as? Int == 3)
    #expect((notebook["favourite"] as? Note)?.text == "best")
    notebook.setValue(nil, forKey: "favourite")
    #expect(notebook.favourite == nil)
    #expect(notebook["favourite"] == nil)
    #expect(notebook.description.hasPrefix("Notebook {"))
    #expect(notebook.description.contains("title = Diary;"))
  }

  @Test func anyThreadMayUseThem() throws {
    nonisolated(unsafe) let notebook = Notebook(value: ["title": "shared", "pages": [1]] as [String: Any])
    let title = try onOtherThread {
      notebook.pages.append(2)
      return notebook.title
    }
    #expect(title == "shared")
    #expect(Array(notebook.pages) == [1, 2])
  }

  @Test func queriesNeedARealm() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Notebook().notes.filter("stars > 1").count
    }
    expectStop(
      list, saying: "This method may only be called on RLMArray instances retrieved from an RLMRealm")
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Notebook().noteSet.sorted(byKeyPath: "stars").count
    }
    expectStop(
      set, saying: "This method may only be called on RLMSet instances retrieved from an RLMRealm")
  }
}
