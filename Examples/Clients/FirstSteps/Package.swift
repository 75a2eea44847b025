// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FirstSteps",
  dependencies: [.package(path: "../OpenRealm")],
  targets: [
    .executableTarget(
      name: "FirstSteps",
      dependencies: [.product(name: "RealmSwift", package: "OpenRealm")])
  ]
)
