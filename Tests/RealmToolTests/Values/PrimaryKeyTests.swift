import Foundation
import TestSupport
import Testing

/// Objects are found, named and linked to by primary keys of several properties.
struct PrimaryKeyTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("shop.realm") }

  private static let schema = #"""
    {"classes":[
      {"name":"Order","properties":[
        {"name":"customer","type":"string"},{"name":"number","type":"int","optional":true},
        {"name":"paid","type":"bool"},{"name":"former","type":"object","class":"Order"},
        {"name":"related","type":"object","class":"Order","collection":"list"},
        {"name":"named","type":"object","class":"Order","collection":"map"},{"name":"any","type":"mixed"}],
       "indexes":[{"kind":"primaryKey","properties":["customer","number"]}]},
      {"name":"Note","properties":[{"name":"text","type":"string"},{"name":"order","type":"object","class":"Order"}]}]}
    """#
  private static let orders = #"""
    {"customer":"acme","number":7,"paid":false,"former":["acme",8],"related":[["b,\"c",null],["acme",7]],"named":{"x":["acme",8]},"any":{"$class":"Order","$key":["b,\"c",null]}}
    {"customer":"acme","number":8,"paid":true,"any":[1,{"$class":"Order","$key":["acme",7]}],"former":{"customer":"[x]","number":1,"paid":true}}
    {"customer":"b,\"c","number":null,"paid":true}
    """#

  private func write(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    return folder.path(name)
  }

  private func makeShop() throws {
    let outcome = try RealmProgram.run(
      "import", path, write("Order.jsonl", Self.orders),
      write("Note.jsonl", #"{"text":"n","order":["b,\"c",null]}"#), "--schema",
      write("schema.json", Self.schema))
    #expect(outcome.error == "")
  }

  private func paid(_ key: String) throws -> String {
    let found = try RealmProgram.run("get", path, "Order", key, "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(found.utf8)) as? [String: Any]
    return "\((object?["object"] as? [String: Any])?["paid"] ?? "")"
  }

  @Test func objectsAreFoundAndNamed() throws {
    try makeShop()
    let shown = try RealmProgram.run("get", path, "Order", #" ["acme", 7] "#)
    #expect(shown.output.hasPrefix("Order [\"acme\",7]\n"), "\(shown)")
    #expect(shown.output.contains(#"  former    ["acme",8]"#))
    #expect(shown.output.contains("  Order.related  [\"acme\",7]\n  Order.any  [\"acme\",8]\n"))
    let json = try RealmProgram.run("get", path, "Order", #"["b,\"c",null]"#, "--json").output
    #expect(json.contains(##"{"class":"Note","property":"order","key":{"$row":0}}"##))
    #expect(json.contains(#"{"class":"Order","property":"related","key":["acme",7]}"#), "\(json)")
    #expect(try RealmProgram.run("get", path, "Order", "#0").output == shown.output)
    let missing = try RealmProgram.run("get", path, "Order", #"["acme",9]"#)
    #expect(missing == .init(status: 1, error: "There is no Order '[\"acme\",9]'.\n"))
  }

  @Test(arguments: [
    ("acme,7", "is an array in JSON with the values of 'customer', 'number': 'acme,7' is not valid"),
    (#"["acme"]"#, "is an array in JSON with the values of 'customer', 'number'"),
    (#"["acme","7"]"#, "property 'number' of class 'Order' is of type int: '7' is not valid"),
    (#"[null,7]"#, "property 'customer' of class 'Order' cannot be null"),
  ]) func whatIsNoKey(key: String, message: String) throws {
    try makeShop()
    let outcome = try RealmProgram.run("get", path, "Order", key)
    #expect(outcome.status == 2 && outcome.error.contains(message), "\(outcome)")
  }

  @Test func objectsAreChanged() throws {
    try makeShop()
    let key = #"["n",3]"#
    #expect(
      try RealmProgram.run("create", path, "Order", "customer=n", "number=3", "paid=true")
        == .init(status: 0, output: key + "\n"))
    let again = try RealmProgram.run("create", path, "Order", "customer=n", "number=3", "paid=true")
    #expect(
      again.status == 3 && again.error.contains("there is a Order with the primary key [\"n\",3] already"))
    let missing = try RealmProgram.run("create", path, "Order", "customer=n", "paid=true")
    #expect(missing.error.contains("'number' of the primary key of class 'Order' is missing"), "\(missing)")
    #expect(try RealmProgram.run("set", path, "Order", key, "paid=false", "former=[\"[x]\",1]").status == 0)
    #expect(try paid(key) == "0")
    #expect(try RealmProgram.run("get", path, "Order", key).output.contains("former    [\"[x]\",1]\n"))
    // As in programs, a key of several properties can be changed.
    #expect(try RealmProgram.run("set", path, "Order", key, "number=4").status == 0)
    #expect(try RealmProgram.run("get", path, "Order", key).status == 1)
    #expect(try RealmProgram.run("set", path, "Order", #"["n",4]"#, "number=3").status == 0)
    let taken = try RealmProgram.run("set", path, "Order", key, "customer=acme", "number=7")
    #expect(
      taken.status == 3 && taken.error.contains("Only one object of class 'Order' can have"), "\(taken)")
    let link = try RealmProgram.run("set", path, "Order", key, "former:=[\"n\",5]")
    #expect(link.error.contains("'Order.former' links to the Order [\"n\",5], which is neither"), "\(link)")
    #expect(try RealmProgram.run("delete", path, "Order", key).error.contains("Delete the Order [\"n\",3]?"))
    #expect(try RealmProgram.run("delete", path, "Order", key, "--yes").status == 0)
    #expect(try RealmProgram.run("get", path, "Order", key).status == 1)
    #expect(try RealmProgram.run("verify", path).status == 0)
  }

  @Test(arguments: ["jsonl", "json", "csv"]) func roundTrip(format: String) throws {
    try makeShop()
    let (first, second, again) = (folder.path("first"), folder.path("second"), folder.path("again.realm"))
    #expect(try RealmProgram.run("export", path, "--to", first, "--format", format).status == 0)
    #expect(try RealmProgram.run("import", again, first).error == "")
    #expect(try RealmProgram.run("export", again, "--to", second, "--format", format).status == 0)
    for name in ["Order.\(format)", "Note.\(format)", "schema.json"] {
      #expect(
        FileManager.default.contentsEqual(atPath: "\(first)/\(name)", andPath: "\(second)/\(name)"), "\(name)"
      )
    }
    #expect(try RealmProgram.run("diff", path, again) == .init(status: 0))
    #expect(try RealmProgram.run("verify", again).status == 0)
    let written = try String(contentsOfFile: "\(first)/Order.\(format)", encoding: .utf8)
    #expect(!written.contains("row") && written.contains("acme"), "\(written)")
  }

  @Test func importsUpdate() throws {
    try makeShop()
    let source = try write("Order.jsonl", Self.orders)
    let refused = try RealmProgram.run("import", path, source)
    #expect(
      refused.status == 3
        && refused.error.contains("line 1: there is a Order with the primary key [\"acme\",7] already"))
    #expect(
      try RealmProgram.run("import", path, source, "--update", "modified").output
        == "Order: 0 objects added, 3 unchanged, from \(source)\n")
    let more = try write("more.csv", "paid,number,customer\ntrue,7,acme\nfalse,,\"b,\"\"c\"\ntrue,,new\n")
    #expect(
      try RealmProgram.run("import", path, more, "--class", "Order", "--update", "modified").output
        == "Order: 1 object added, 2 updated, from \(more)\n")
    #expect(try paid(#"["acme",7]"#) == "1")
    #expect(try paid(#"["b,\"c",null]"#) == "0")
    #expect(
      try RealmProgram.run("import", path, more, "--class", "Order", "--update", "all").output
        == "Order: 0 objects added, 3 updated, from \(more)\n")
    // Within one source, too.
    let twice = try write("twice.csv", "paid,number,customer\ntrue,1,q\nfalse,1,q\n")
    #expect(
      try RealmProgram.run("import", path, twice, "--class", "Order").error.contains(
        "line 3: there is a Order with the primary key [\"q\",1] already"))
    #expect(try RealmProgram.run("query", path, "Order", "--count").output == "5\n")
    #expect(try RealmProgram.run("verify", path).status == 0)
  }

  @Test func inferredKeys() throws {
    let source = try write("P.csv", "a,\"b,c\",d,e\nx,1,1.5,2024-01-01\nx,2,2.5,2024-01-01\n")
    let path = folder.path("inferred.realm")
    func refusal(_ key: String) throws -> String {
      let outcome = try RealmProgram.run("import", path, source, "--key-property", key)
      #expect(outcome.status == 2 && !FileManager.default.fileExists(atPath: path))
      return outcome.error
    }
    #expect(try refusal("a,f").contains("class 'P' has no property 'f'"))
    #expect(try refusal("a,a").contains("'a,a' names a property twice"))
    #expect(try refusal("a,d").contains("'P.d' is of type double: the properties of a primary key are int"))
    #expect(try refusal("e").contains("'P.e' is of type date: primary keys are int, string, objectId, uuid"))
    let outcome = try RealmProgram.run("import", path, source, "--key-property", "a, e")
    #expect(outcome.status == 3 && outcome.error.contains(#"the primary key ["x","2024-01-01T00:00:00Z"]"#))
    // Names may have commas in them.
    #expect(try RealmProgram.run("import", path, source, "--key-property", "b,c").status == 0)
    #expect(try RealmProgram.run("get", path, "P", "2").status == 0)
    let other = try write("Q.csv", "a,b\nx,1\nx,2\n")
    let inferred = try RealmProgram.run("import", path, other, "--key-property", "a,b")
    #expect(inferred.output.contains("  primary key over a, b\n"), "\(inferred)")
    #expect(try RealmProgram.run("get", path, "Q", #"["x",2]"#).status == 0)
  }

  @Test func differencesAndChanges() throws {
    try makeShop()
    let other = folder.path("other.realm")
    #expect(try RealmProgram.run("copy", path, other).status == 0)
    let watcher = try RunningTool("watch", other, "Order", "--limit", "2")
    #expect(watcher.firstNote().contains("Watching"))
    #expect(try RealmProgram.run("set", other, "Order", #"["acme",8]"#, "paid=false").status == 0)
    // Orders that link to it are told, too.
    #expect(watcher.nextLine()?.contains(#""class":"Order","key":"[\"acme\",7]","object":{"#) == true)
    #expect(watcher.nextLine()?.contains(#""class":"Order","key":"[\"acme\",8]","object":{"#) == true)
    #expect(watcher.end() == 0)
    #expect(try RealmProgram.run("delete", other, "Order", #"["b,\"c",null]"#, "--yes").status == 0)
    let lines = try RealmProgram.run("diff", path, other).output.split(separator: "\n")
    #expect(lines.contains(#"~ Order ["acme",8]  paid: true → false"#), "\(lines)")
    #expect(lines.contains(#"- Order ["b,\"c",null]"#))
    #expect(!lines.contains { $0.hasPrefix("+ Order") })
    // A key of other properties is another schema.
    let schema = Self.schema.replacing(#"["customer","number"]"#, with: #"["number","customer"]"#)
    let third = folder.path("third.realm")
    #expect(
      try RealmProgram.run(
        "import", third, write("Order.jsonl", Self.orders), "--schema", write("schema.json", schema)
      ).error.contains("is not valid"))
    let fourth = try RealmProgram.run(
      "import", third, write("Order.jsonl", ""), "--schema", write("schema.json", schema))
    #expect(fourth.status == 0)
    let difference = try RealmProgram.run("diff", path, third).output
    #expect(difference.contains("~ class Order  primary key over customer, number in A only\n"))
    #expect(difference.contains("~ class Order  primary key over number, customer in B only\n"))
  }
}
