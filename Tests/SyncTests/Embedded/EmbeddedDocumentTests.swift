import Foundation
import RealmSwift
import RealmSync
import Storage
import Sync
import TestSupport
import Testing

/// Embedded objects with collections, or with objects of their own class: one value on the server.
@MainActor @Suite struct EmbeddedDocumentTests {
  private static let classes: [ObjectBase.Type] = [
    SyncGardener.self, SyncPlot.self, SyncTree.self, SyncBranch.self,
  ]

  private func tree(_ realm: Realm) throws -> SyncTree {
    try #require(realm.object(ofType: SyncGardener.self, forPrimaryKey: 1)?.plot?.tree)
  }

  /// A gardener with a tree, in two realms.
  private func planted() async throws -> (SyncDatabase, [Realm]) {
    let database = try SyncDatabase(Self.classes)
    let realms = try await database.openCurrent("first.realm", "second.realm")
    let tree: [String: Any] = [
      "name": "Oak", "tags": ["old", "tall"], "sizes": ["height": 20.5, "girth": -0.0], "marks": [3, 1],
      "planted": Date(timeIntervalSince1970: 1_700_000_000.25),
      "branches": [["name": "left"], ["name": "right"]],
      "next": ["name": "Elm", "tags": ["young"]],
    ]
    try realms[0].write {
      _ = realms[0].create(SyncGardener.self, value: ["id": 1, "plot": ["area": 7, "tree": tree]])
    }
    try await exchange(realms)
    return (database, realms)
  }

  @Test func documentsArriveWithAllThatTheyHold() async throws {
    let (database, realms) = try await planted()
    let tree = try tree(realms[1])
    #expect(tree.name == "Oak" && Array(tree.tags) == ["old", "tall"] && Set(tree.marks) == [1, 3])
    #expect(tree.sizes["height"] == 20.5 && tree.sizes["girth"]?.sign == .minus && tree.sizes.count == 2)
    #expect(tree.planted == Date(timeIntervalSince1970: 1_700_000_000.25))
    #expect(tree.branches.map(\.name) == ["left", "right"])
    #expect(
      tree.next?.name == "Elm" && tree.next.map { Array($0.tags) } == ["young"] && tree.next?.sizes.count == 0
    )
    let found = try database.run(
      """
      select plot, plot_area, plot_tree #>> '{v,name,v}', plot_tree #>> '{v,branches,v,1,v,name,v}' from app."SyncGardener"
      """)
    #expect(found == "t|7|Oak|right")
  }

  /// The values of a tree and of what it holds, without the addresses of collections.
  private func text(_ tree: SyncTree) -> String {
    tree.description.replacing(#/ <0x[0-9a-f]+>/#, with: "")
  }

  @Test func whatIsChangedAnywhereInADocumentArrives() async throws {
    let (_, realms) = try await planted()
    let (here, there) = (try tree(realms[0]), try tree(realms[1]))
    let changes: [@MainActor () -> Void] = [
      { here.next?.tags.append("green") },
      { here.branches[1].name = "upper" },
      { here.branches[0].sizes["length"] = 2 },
      { realms[0].delete(here.branches[0]) },
      { here.marks.remove(3) },
      { here.next = SyncBranch(value: ["name": "Fir", "sizes": ["length": 1.5]] as [String: Any]) },
      { here.next?.sizes["length"] = nil },
      { here.next = nil },
    ]
    for change in changes {
      try realms[0].write { change() }
      try await exchange([realms[0], realms[1]])
      #expect(!there.isInvalidated && text(there) == text(here))
    }
    #expect(there.branches.map(\.name) == ["upper"] && there.next == nil && Set(there.marks) == [1])
  }

  @Test func ofTwoEditsOfADocumentTheLaterWinsAsAWhole() async throws {
    let (_, realms) = try await planted()
    for realm in realms { realm.syncSession!.suspend() }
    try realms[0].write { try tree(realms[0]).name = "Ash" }
    try realms[1].write { try tree(realms[1]).tags.append("late") }
    try realms[1].write { realms[1].object(ofType: SyncGardener.self, forPrimaryKey: 1)!.plot!.area = 8 }
    for realm in realms { realm.syncSession!.resume() }
    try await exchange(realms)
    try await exchange(realms)
    for realm in realms {
      let tree = try tree(realm)
      #expect(tree.name == "Oak" && Array(tree.tags) == ["old", "tall", "late"])
    }
  }

  @Test func aDocumentThatIsRemovedIsNullOnTheServer() async throws {
    let (database, realms) = try await planted()
    try realms[1].write { realms[1].object(ofType: SyncGardener.self, forPrimaryKey: 1)?.plot?.tree = nil }
    try await exchange([realms[1], realms[0]])
    let plot = try #require(realms[0].object(ofType: SyncGardener.self, forPrimaryKey: 1)?.plot)
    #expect(plot.tree == nil && plot.area == 7)
    #expect(try database.run("select plot, plot_tree is null from app.\"SyncGardener\"") == "t|t")
    try realms[0].write { plot.tree = SyncTree(value: ["name": "Yew"]) }
    try await exchange(realms)
    #expect(try tree(realms[1]).name == "Yew")
  }

  @Test func documentsOfSQLProgramsAreReadIfTheyFit() async throws {
    let (database, realms) = try await planted()
    func set(_ document: String) throws {
      try database.run("update app.\"SyncGardener\" set plot_tree = '\(document)', name = name || '.'")
    }
    try set("{\"t\": \"dictionary\", \"v\": {\"name\": {\"t\": \"string\", \"v\": \"Box\"}, \"more\": null}}")
    try await exchange(realms)
    let tree = try tree(realms[1])
    #expect(tree.name == "Box" && tree.tags.isEmpty && tree.branches.isEmpty && tree.next == nil)
    for wrong in [
      "5", "{\"t\": \"dictionary\", \"v\": {\"name\": {\"t\": \"int\", \"v\": 5}}}",
      "{\"t\": \"dictionary\", \"v\": {\"tags\": {\"t\": \"list\", \"v\": [null]}}}",
    ] {
      try set(wrong)
      try await exchange(realms)
      #expect(tree.name == "Box")
    }
    let gardener = realms[1].object(ofType: SyncGardener.self, forPrimaryKey: 1)
    #expect(gardener?.name == "....")
    try realms[1].write { tree.name = "Yew" }
    try await exchange([realms[1], realms[0]])
    #expect(try self.tree(realms[0]).name == "Yew")
  }

  @Test func embeddedClassesWithCollectionsOrOfTheirOwnClassAreDocuments() throws {
    func link(_ name: String, _ target: Int, _ collection: CollectionType = .none) -> Column {
      Column(name: name, type: .link, collection: collection, isNullable: true, target: target)
    }
    let catalogue = Catalogue(tables: [
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), link("a", 1), link("b", 2), link("c", 3),
        ]),
      TableDescription(name: "Plain", isEmbedded: true, columns: [link("b", 2)]),
      TableDescription(name: "Circle", isEmbedded: true, columns: [link("c", 3)]),
      TableDescription(name: "Back", isEmbedded: true, columns: [link("b", 2, .list)]),
    ])
    let person = try #require(try SyncModel.read(catalogue)["Person"])
    #expect(person.properties.map(\.name) == ["a", "a_b", "b", "c"])
    #expect(person.properties.map(\.isDocument) == [false, true, true, true])
    #expect(person.properties.map(\.type) == [.boolean, .jsonb, .jsonb, .jsonb])
  }

  @Test func linksAndMixedValuesInDocumentsAreRefused() {
    let catalogue = Catalogue(tables: [
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "a", type: .link, isNullable: true, target: 1),
        ]),
      TableDescription(
        name: "Node", isEmbedded: true,
        columns: [
          Column(name: "all", type: .link, collection: .list, target: 1),
          Column(name: "friends", type: .link, collection: .list, target: 0),
          Column(name: "any", type: .mixed, isNullable: true),
        ]),
    ])
    do throws(SyncRefusal) {
      _ = try SyncModel.read(catalogue)
      Issue.record("They are not refused")
    } catch {
      #expect(error.reasons.map(\.kind) == [.link, .link])
      #expect(error.description.contains("'Node.friends'") && error.description.contains("'Node.any'"))
    }
  }
}

/// A person with a plot.
final class SyncGardener: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var plot: SyncPlot?
}

/// A plot with a tree.
final class SyncPlot: EmbeddedObject {
  @Persisted var area: Int
  @Persisted var tree: SyncTree?
}

/// A tree with collections, also of embedded objects.
final class SyncTree: EmbeddedObject {
  @Persisted var name: String
  @Persisted var tags: RealmSwift.List<String>
  @Persisted var sizes: RealmSwift.Map<String, Double>
  @Persisted var marks: MutableSet<Int>
  @Persisted var planted: Date?
  @Persisted var branches: RealmSwift.List<SyncBranch>
  @Persisted var next: SyncBranch?
}

/// A part of a tree.
final class SyncBranch: EmbeddedObject {
  @Persisted var name: String
  @Persisted var tags: RealmSwift.List<String>
  @Persisted var sizes: RealmSwift.Map<String, Double>
}
