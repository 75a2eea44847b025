import Storage
import Sync
import TestSupport
import Testing

/// Objects with embedded objects that the server refuses.
@Suite struct RefusedEmbeddedTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Person",
      columns: [
        Column(name: "id", type: .int, isPrimaryKey: true),
        Column(name: "address", type: .link, isNullable: true, target: 1),
        Column(name: "plan", type: .link, isNullable: true, target: 2),
      ]),
    TableDescription(
      name: "Address", isEmbedded: true,
      columns: [
        Column(name: "city", type: .string), Column(name: "street", type: .string),
        Column(name: "number", type: .int), Column(name: "note", type: .mixed, isNullable: true),
      ]),
    TableDescription(
      name: "Plan", isEmbedded: true, columns: [Column(name: "steps", type: .string, collection: .list)]),
  ])

  /// The values of any type and the documents among them are in the tables of the embedded objects.
  @Test(arguments: [true, false]) func theRejectionHasTheValuesOfEmbeddedObjects(hasAddress: Bool) throws {
    let model = try SyncModel.read(Self.catalogue)
    let server = try ModelServer(model)
    try server.rows("alter table app.\"Person\" add constraint few check (id > 9)")
    let file = try ClientFile(Self.catalogue, model, settings: server.settings)
    try file.write { snapshot in
      let (people, addresses, plans) = (snapshot.table(0), snapshot.table(1), snapshot.table(2))
      let person = file.create(0, .int(1))
      if hasAddress {
        let address = addresses.insertRow()
        for (column, text) in ["Ulm", "Hafengasse"].enumerated() {
          addresses.setString(column, address, text)
        }
        addresses.setInteger(2, address, 5)
        addresses.setValue(3, address, .string("back door"))
        people.setLink(1, person, address)
      } else {
        people.setLink(1, person, nil)
      }
      let plan = plans.insertRow()
      plans.appendElement(0, plan, .string("first"))
      people.setLink(2, person, plan)
    }
    try file.transfer()
    try file.writer.advance()
    let values = try #require(file.rejected.first?.values)
    #expect(values["address"] == .bool(hasAddress))
    #expect(values["address_note"] == (hasAddress ? .string("back door") : .null))
    #expect(
      values["plan"] == .dictionary([.init(key: "steps", value: .list([.string("first")]))]))
    #expect(file.row(0, .int(1)) == nil)
    let noted = try #require(try NotedRejection.read(file.writer).first)
    #expect(noted.object.values["plan"] == values["plan"])
  }
}
