import Foundation
import RealmSwift

// DoggoDB's files in Swift, which takes them without a migration:
//
//   DoggoDB-Swift FOLDER read     checks what the program in Objective-C has left in dogs.realm
//   DoggoDB-Swift FOLDER write    writes the same dogs into a new dogs.realm, for the program in Objective-C
//
// The exit status is 1 when a check failed.
@main struct DoggoDB {
  private let folder: URL
  private var checks = 0
  private var failures = 0

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, ["read", "write"].contains(arguments[2]) else {
      print("usage: DoggoDB-Swift FOLDER read | write")
      exit(2)
    }
    var program = DoggoDB(folder: URL(fileURLWithPath: arguments[1], isDirectory: true))
    if arguments[2] == "read" { try program.read() } else { try program.write() }
    let mark = program.failures == 0 ? "✔" : "✘"
    print("\(mark) Swift, \(arguments[2]): \(program.checks) checks, \(program.failures) failed")
    exit(program.failures == 0 ? 0 : 1)
  }

  private init(folder: URL) { self.folder = folder }

  private mutating func expect(_ holds: Bool, line: Int = #line) {
    checks += 1
    if holds { return }
    failures += 1
    print("DoggoDB.swift:\(line): a check failed")
  }

  private func configuration(_ name: String) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.appendingPathComponent(name),
      objectTypes: [Dog.self, Toy.self, Person.self, Address.self, DogClub.self])
  }

  private mutating func read() throws {
    let file = configuration("dogs.realm")
    let classes = try DescribedClass.classes(ofFileAt: file.fileURL!)
    let realm = try Realm(configuration: file)
    expect(realm.objects(Dog.self).count == 3 && realm.objects(Toy.self).count == 2)
    let ann = realm.object(ofType: Person.self, forPrimaryKey: 1)!
    expect(ann.dogs.map(\.name) == ["Rex", "Bo"])
    expect(ann.address?.street == "1 Bark Lane" && ann.address?.country == "UK")
    let rex = ann.dogs[0]
    let bo = ann.dogs[1]
    expect(rex.age == 4 && rex.color == "grey" && rex.weight == 30.5)
    expect(rex.favoriteToy?.isSameObject(as: rex.toys[0]) == true)
    expect(rex.toys.map(\.name) == ["Ball", "Bone"])
    expect(rex.toys[0].fans.count == 1)
    expect(rex.citiesVisited.sorted() == ["Oslo", "Rome"])
    expect(rex.parks.count == 2 && rex.parks["Rome"] == "Pincio")
    expect(rex.companion == .string("Tom the cat"))
    expect(bo.companion.object(Dog.self)?.isSameObject(as: rex) == true)
    expect(rex.owners.count == 2 && bo.weight == nil && bo.color == "brown")
    let strays = realm.objects(Dog.self).where { $0.color == nil && $0.companion == .int(7) && $0.age == 0 }
    expect(strays.map(\.name) == ["Ida"])
    let pals = ann.clubs.first
    expect(pals?.name == "Pals" && pals?.members.map(\._id) == [2, 1])
    expect(pals?.offices.map(\.city) == ["Leeds", "Hull"])
    // Classes in Swift describe a file exactly as those in Objective-C do.
    let own = configuration("classes.realm")
    _ = try Realm(configuration: own)
    let described = try DescribedClass.classes(ofFileAt: own.fileURL!)
    expect(classes.sorted { $0.name < $1.name } == described.sorted { $0.name < $1.name })
    _ = try Realm.deleteFiles(for: own)
  }

  private mutating func write() throws {
    let realm = try Realm(configuration: configuration("dogs.realm"))
    try realm.write {
      let ball = realm.create(Toy.self, value: ["name": "Ball"])
      let bone = realm.create(Toy.self, value: ["name": "Bone"])
      let rex = realm.create(Dog.self, value: ["name": "Rex", "age": 4, "color": "grey", "weight": 30.5])
      rex.favoriteToy = ball
      rex.toys.append(objectsIn: [ball, bone])
      rex.companion = .string("Tom the cat")
      rex.citiesVisited.insert(objectsIn: ["Oslo", "Rome"])
      rex.parks["Oslo"] = "Frogner"
      rex.parks["Rome"] = "Pincio"
      let bo = realm.create(Dog.self, value: ["name": "Bo", "age": 2])
      bo.companion = .object(rex)
      let ida = realm.create(Dog.self, value: ["name": "Ida"])
      ida.color = nil
      ida.companion = .int(7)
      let ann = realm.create(Person.self, value: ["_id": 1, "name": "Ann"])
      ann.address = Address(value: ["1 Bark Lane", "Leeds", "UK"])
      ann.dogs.append(objectsIn: [rex, bo])
      let ben = realm.create(Person.self, value: ["_id": 2, "name": "Ben"])
      ben.dogs.append(objectsIn: [ida, rex])
      let pals = realm.create(DogClub.self, value: ["name": "Pals"])
      pals.members.append(objectsIn: [ben, ann])
      pals.offices.append(Address(value: ["city": "Leeds"]))
      pals.offices.append(Address(value: ["city": "Hull"]))
    }
    expect(realm.objects(Dog.self).count == 3)
  }
}
