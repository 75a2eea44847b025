import Foundation
import RealmSwift
import Testing

/// Projected properties of every kind, read and written through.
struct ProjectionKindTests {
  private let scratch: ScratchRealm

  init() throws {
    scratch = try ScratchRealm(opening: [ProjectedPerson.self, ProjectedAddress.self, ProjectedKinds.self])
  }

  /// Sets all properties through the projection, and compares root and projection.
  private func exercise(_ projection: KindsProjection) {
    let check = Check(projection: projection)
    exerciseValues(check)
    exerciseOptionals(check)
    exerciseLinks(projection, projection.rootObject)
    exerciseCollections(projection, projection.rootObject)
  }

  private struct Check {
    let projection: KindsProjection

    func callAsFunction<Value: Equatable>(
      _ projected: ReferenceWritableKeyPath<KindsProjection, Value>,
      _ keyPath: KeyPath<ProjectedKinds, Value>,
      _ values: Value..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let root = projection.rootObject
      #expect(projection[keyPath: projected] == root[keyPath: keyPath], sourceLocation: sourceLocation)
      for value in values {
        projection[keyPath: projected] = value
        #expect(root[keyPath: keyPath] == value, sourceLocation: sourceLocation)
        #expect(projection[keyPath: projected] == value, sourceLocation: sourceLocation)
      }
    }
  }

  private func exerciseValues(_ check: Check) {
    check(\.int, \.int, 5, .min)
    check(\.int8, \.int8, 5, .min)
    check(\.int16, \.int16, 5, .min)
    check(\.int32, \.int32, 5, .min)
    check(\.int64, \.int64, 5, .min)
    check(\.bool, \.bool, true, false)
    check(\.float, \.float, 1.5)
    check(\.double, \.double, -2.5)
    check(\.string, \.string, "text", "")
    check(\.data, \.data, Data([1, 2]))
    check(\.date, \.date, Date(timeIntervalSinceReferenceDate: 7))
    check(\.decimal, \.decimal, Decimal128("1.23"))
    check(\.objectId, \.objectId, ObjectId.generate())
    check(\.uuid, \.uuid, UUID())
    check(\.mixed, \.mixed, .string("x"), .int(4), .none)
    check(\.mood, \.mood, .wild)
    check(\.mark, \.mark, ProjectedMark("!"))
  }

  private func exerciseOptionals(_ check: Check) {
    check(\.optInt, \.optInt, 3, nil)
    check(\.optBool, \.optBool, true, nil)
    check(\.optFloat, \.optFloat, 3, nil)
    check(\.optDouble, \.optDouble, 3, nil)
    check(\.optString, \.optString, "s", nil)
    check(\.optData, \.optData, Data([3]), nil)
    check(\.optDate, \.optDate, Date(timeIntervalSinceReferenceDate: 7), nil)
    check(\.optDecimal, \.optDecimal, 5, nil)
    check(\.optObjectId, \.optObjectId, ObjectId.generate(), nil)
    check(\.optUUID, \.optUUID, UUID(), nil)
    check(\.optMood, \.optMood, .wild, nil)
    check(\.optMark, \.optMark, ProjectedMark("?"), nil)
  }

  private func exerciseLinks(_ projection: KindsProjection, _ root: ProjectedKinds) {
    let person = ProjectedPerson(1, "Bran", "Stark")
    projection.link = person
    #expect(root.link?.firstName == "Bran" && projection.link?.firstName == "Bran")
    projection.embedded = ProjectedAddress(value: ["city": "North"])
    #expect(root.embedded?.city == "North")
    projection.embedded = nil
    #expect(root.embedded == nil)
  }

  private func exerciseCollections(_ projection: KindsProjection, _ root: ProjectedKinds) {
    projection.ints.append(objectsIn: [1, 2])
    projection.strings.append(objectsIn: ["a", nil])
    projection.people.append(root.link!)
    projection.addresses.append(ProjectedAddress(value: ["city": "Wall"]))
    projection.intSet.insert(4)
    projection.peopleSet.insert(root.link!)
    projection.intMap["a"] = 1
    projection.peopleMap["b"] = root.link
    #expect(Array(root.ints) == [1, 2] && projection.intCount == 2 && Array(root.strings) == ["a", nil])
    #expect(root.people.count == 1 && projection.firstPerson == "Bran")
    #expect(Array(projection.cities) == ["Wall"] && root.addresses[0].city == "Wall")
    projection.cities[0] = "Tower"
    projection.firstPerson = "Raven"
    #expect(root.addresses[0].city == "Tower" && root.link?.firstName == "Raven")
    #expect(root.intSet.contains(4) && projection.firstOfSet == 4 && root.peopleSet.count == 1)
    #expect(projection.entry == 1 && root.peopleMap["b"]??.firstName == "Raven")
    projection.entry = 6
    #expect(root.intMap["a"] == 6)
    let other = List<Int>()
    other.append(9)
    projection.ints = other
    #expect(Array(root.ints) == [9])
  }

  @Test func managed() throws {
    let realm = scratch.realm
    try realm.write {
      let root = realm.create(ProjectedKinds.self)
      exercise(KindsProjection(projecting: root))
    }
    let projection = try #require(realm.objects(KindsProjection.self).first)
    #expect(projection.int == .min && projection.mark == ProjectedMark("!") && projection.entry == 6)
  }

  @Test func unmanaged() {
    exercise(KindsProjection(projecting: ProjectedKinds()))
  }
}
