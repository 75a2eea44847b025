import Foundation
import RealmSwift

final class ProjectedPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var firstName: String
  @Persisted var lastName = ""
  @Persisted var birthday: Date
  @Persisted var address: ProjectedAddress?
  @Persisted var friends: List<ProjectedPerson>
  @Persisted var rivals: MutableSet<ProjectedPerson>
  @Persisted var bestFriend: ProjectedPerson?
  @Persisted var reviews: List<String>
  @Persisted var money: Decimal128
  @Persisted(originProperty: "friends") var admirers: LinkingObjects<ProjectedPerson>

  var fullName: String { "\(firstName) \(lastName)" }
  /// Not stored.
  var constant: Int { 1 }

  convenience init(_ id: Int, _ firstName: String, _ lastName: String = "", city: String? = nil) {
    self.init()
    self.id = id
    self.firstName = firstName
    self.lastName = lastName
    birthday = Date(timeIntervalSince1970: Double(id))
    money = Decimal128(value: id * 100)
    if let city { address = ProjectedAddress(value: ["city": city, "country": "Westeros"]) }
  }
}

final class ProjectedAddress: EmbeddedObject {
  @Persisted var city: String
  @Persisted var country = ""
}

class PersonProjection: Projection<ProjectedPerson> {
  @Projected(\ProjectedPerson.firstName) var firstName
  @Projected(\ProjectedPerson.lastName.localizedUppercase) var lastNameCaps
  @Projected(\ProjectedPerson.birthday.timeIntervalSince1970) var birthdayAsEpochtime
  @Projected(\ProjectedPerson.address?.city) var homeCity
  @Projected(\ProjectedPerson.friends.projectTo.firstName) var friendsNames
  @Projected(\ProjectedPerson.friends) var friends
  @Projected(\ProjectedPerson.reviews.first) var firstReview
  @Projected(\ProjectedPerson.fullName) var fullName
  @Projected(\ProjectedPerson.bestFriend?.lastName) var bestFriendsName
  @Projected(\ProjectedPerson.rivals.projectTo.address) var rivalsAddresses

  /// An ordinary member.
  var greeting: String { "Hello, \(firstName)!" }
  var note = "unset"
}

/// A projection of a projection's class.
final class ShortPersonProjection: PersonProjection {
  @Projected(\ProjectedPerson.id) var number
}

final class AddressProjection: Projection<ProjectedAddress> {
  @Projected(\ProjectedAddress.city) var town
}

final class ConstantProjection: Projection<ProjectedPerson> {
  @Projected(\ProjectedPerson.firstName) var firstName
  @Projected(\ProjectedPerson.constant) var constant
}

enum ProjectedMood: Int, PersistableEnum {
  case calm, wild
}

struct ProjectedMark: CustomPersistable, Equatable, Hashable {
  typealias PersistedType = String
  var text: String
  init(persistedValue: String) { text = persistedValue }
  init(_ text: String) { self.text = text }
  var persistableValue: String { text }
}

/// A property of every kind.
final class ProjectedKinds: Object {
  @Persisted var int: Int
  @Persisted var int8: Int8
  @Persisted var int16: Int16
  @Persisted var int32: Int32
  @Persisted var int64: Int64
  @Persisted var bool: Bool
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var decimal: Decimal128
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID
  @Persisted var mixed: AnyRealmValue
  @Persisted var mood: ProjectedMood = .calm
  @Persisted var mark: ProjectedMark
  @Persisted var link: ProjectedPerson?
  @Persisted var embedded: ProjectedAddress?

  @Persisted var optInt: Int?
  @Persisted var optBool: Bool?
  @Persisted var optFloat: Float?
  @Persisted var optDouble: Double?
  @Persisted var optString: String?
  @Persisted var optData: Data?
  @Persisted var optDate: Date?
  @Persisted var optDecimal: Decimal128?
  @Persisted var optObjectId: ObjectId?
  @Persisted var optUUID: UUID?
  @Persisted var optMood: ProjectedMood?
  @Persisted var optMark: ProjectedMark?

  @Persisted var ints: List<Int>
  @Persisted var strings: List<String?>
  @Persisted var people: List<ProjectedPerson>
  @Persisted var addresses: List<ProjectedAddress>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var peopleSet: MutableSet<ProjectedPerson>
  @Persisted var intMap: Map<String, Int>
  @Persisted var peopleMap: Map<String, ProjectedPerson?>
}

final class KindsProjection: Projection<ProjectedKinds> {
  @Projected(\ProjectedKinds.int) var int
  @Projected(\ProjectedKinds.int8) var int8
  @Projected(\ProjectedKinds.int16) var int16
  @Projected(\ProjectedKinds.int32) var int32
  @Projected(\ProjectedKinds.int64) var int64
  @Projected(\ProjectedKinds.bool) var bool
  @Projected(\ProjectedKinds.float) var float
  @Projected(\ProjectedKinds.double) var double
  @Projected(\ProjectedKinds.string) var string
  @Projected(\ProjectedKinds.data) var data
  @Projected(\ProjectedKinds.date) var date
  @Projected(\ProjectedKinds.decimal) var decimal
  @Projected(\ProjectedKinds.objectId) var objectId
  @Projected(\ProjectedKinds.uuid) var uuid
  @Projected(\ProjectedKinds.mixed) var mixed
  @Projected(\ProjectedKinds.mood) var mood
  @Projected(\ProjectedKinds.mark) var mark
  @Projected(\ProjectedKinds.link) var link
  @Projected(\ProjectedKinds.embedded) var embedded
  @Projected(\ProjectedKinds.optInt) var optInt
  @Projected(\ProjectedKinds.optBool) var optBool
  @Projected(\ProjectedKinds.optFloat) var optFloat
  @Projected(\ProjectedKinds.optDouble) var optDouble
  @Projected(\ProjectedKinds.optString) var optString
  @Projected(\ProjectedKinds.optData) var optData
  @Projected(\ProjectedKinds.optDate) var optDate
  @Projected(\ProjectedKinds.optDecimal) var optDecimal
  @Projected(\ProjectedKinds.optObjectId) var optObjectId
  @Projected(\ProjectedKinds.optUUID) var optUUID
  @Projected(\ProjectedKinds.optMood) var optMood
  @Projected(\ProjectedKinds.optMark) var optMark
  @Projected(\ProjectedKinds.ints) var ints
  @Projected(\ProjectedKinds.strings) var strings
  @Projected(\ProjectedKinds.people) var people
  @Projected(\ProjectedKinds.addresses) var addresses
  @Projected(\ProjectedKinds.addresses.projectTo.city) var cities
  @Projected(\ProjectedKinds.intSet) var intSet
  @Projected(\ProjectedKinds.peopleSet) var peopleSet
  @Projected(\ProjectedKinds.intMap) var intMap
  @Projected(\ProjectedKinds.peopleMap) var peopleMap
  @Projected(\ProjectedKinds.ints.count) var intCount
  @Projected(\ProjectedKinds.intSet.first) var firstOfSet
  @Projected(\ProjectedKinds.intMap["a"]) var entry
  @Projected(\ProjectedKinds.people[0].firstName) var firstPerson
}
