import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Objects of declared classes, copied by a program that knows only their descriptions, are the same to one that declares them.
@Suite struct DescribedShapeTests {
  @Test(arguments: RoundTripTests.allShapes)
  func copiesByName(_ shapes: any PropertyShapes.Type) throws {
    func check<Row: PropertyShapes>(_: Row.Type) throws {
      let (source, target) = (ScratchRealm([Row.self]), ScratchRealm([Row.self]))
      let samples = Row.samples
      try source.write { realm in
        for number in samples.indices {
          let row = realm.create(Row.self)
          row.required = samples[number]
          row.optional = number % 3 == 2 ? nil : samples[number]
          row.list.append(objectsIn: samples)
          row.optionalList.append(objectsIn: samples + [nil])
          row.set.insert(objectsIn: samples)
          row.optionalSet.insert(objectsIn: samples + [nil])
          for (key, sample) in samples.enumerated() {
            row.map["k\(key)"] = sample
            row.optionalMap["k\(key)"] = key == number ? .some(nil) : sample
          }
        }
      }
      let classes = try DescribedClass.classes(ofFileAt: source.url, encryptionKey: ScratchRealm.usualKey)
      try autoreleasepool {
        let from = try Realm(configuration: source.described(.ofFile))
        let to = try Realm(configuration: target.described(.classes(classes)))
        try to.write {
          for object in from.dynamicObjects(classes[0].name) {
            to.dynamicCreate(classes[0].name, value: object)
          }
        }
      }
      #expect(try Realm.migrationPlan(for: target.configuration).action == .nothing)
      try target.read { realm in
        let rows = realm.objects(Row.self)
        #expect(rows.count == samples.count)
        for (number, row) in rows.enumerated() {
          #expect(Row.identity(row.required) == Row.identity(samples[number]))
          #expect(Row.identity(row.optional) == (number % 3 == 2 ? "nil" : Row.identity(samples[number])))
          #expect(Row.identities(row.list) == Row.identities(samples))
          #expect(Row.identities(row.optionalList) == Row.identities(samples) + ["nil"])
          #expect(Set(Row.identities(row.set)) == Set(Row.identities(samples)))
          #expect(row.optionalSet.count == samples.count + 1 && row.optionalSet.contains(nil))
          for (key, sample) in samples.enumerated() {
            #expect(Row.identity(row.map["k\(key)"]) == Row.identity(sample))
            let optional = row.optionalMap["k\(key)"].map { Row.identity($0) }
            #expect(optional == (key == number ? "nil" : Row.identity(sample)))
          }
        }
      }
    }
    try check(shapes)
  }
}
