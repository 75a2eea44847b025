import Testing

@testable import OfficialFiles

/// What the official engine has written is read as it was written, value by value.
struct SampleTests {
  @Test(arguments: Sample.all) func schemaIsRead(sample: Sample) throws {
    let file = try sample.open()
    let description = try sample.description()
    #expect(file.format == description.format)
    #expect(file.schemaVersion == description.schemaVersion)
    #expect(Set(file.classes.compactMap(\.className)) == Set(description.classes.map(\.name)))
    for expected in description.classes {
      let table = try #require(file.table(expected.name))
      #expect("\(table.kind)" == expected.kind)
      #expect(table.count == expected.objects.count, "\(expected.name)")
      let properties = table.properties.map { SampleDescription.Property($0, file.tables) }
      #expect(Set(properties) == Set(expected.properties), "\(expected.name)")
      #expect(properties.count == expected.properties.count)
    }
  }

  @Test(arguments: Sample.all) func valuesAreRead(sample: Sample) throws {
    let file = try sample.open()
    for expected in try sample.description().classes {
      let objects = try #require(file.table(expected.name)).contents(file)
      #expect(Set(objects.keys) == Set(expected.objects.keys), "\(expected.name)")
      for (key, values) in expected.objects {
        for (name, value) in values {
          #expect(objects[key]?[name] == value, "\(expected.name).\(name) of object \(key)")
        }
        #expect(objects[key]?.count == values.count)
      }
    }
    try file.checkIsUnchanged()
  }
}
