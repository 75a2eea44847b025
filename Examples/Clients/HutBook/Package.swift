// swift-tools-version: 6.2
import PackageDescription

// On Linux this library, elsewhere the official SDK: both have the products RealmSwift and Realm.
#if os(Linux)
  let realm = Package.Dependency.package(path: "../OpenRealm")
  let realmSwift = Target.Dependency.product(name: "RealmSwift", package: "OpenRealm")
  let objectiveCNames = Target.Dependency.product(name: "Realm", package: "OpenRealm")
#else
  let realm = Package.Dependency.package(url: "https://github.com/realm/realm-swift.git", from: "20.0.0")
  let realmSwift = Target.Dependency.product(name: "RealmSwift", package: "realm-swift")
  let objectiveCNames = Target.Dependency.product(name: "Realm", package: "realm-swift")
#endif

let package = Package(
  name: "HutBook",
  platforms: [.iOS(.v17), .macOS(.v14)],
  products: [.library(name: "HutViews", targets: ["HutViews"])],
  dependencies: [realm],
  targets: [
    .target(name: "HutModels", dependencies: [realmSwift]),
    // Code that was not brought to Swift 6 yet.
    .target(
      name: "HutStore", dependencies: ["HutModels", realmSwift, objectiveCNames],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "HutViews", dependencies: ["HutModels", realmSwift]),
    .executableTarget(name: "hutbook", dependencies: ["HutModels", "HutStore", realmSwift]),
  ]
)
