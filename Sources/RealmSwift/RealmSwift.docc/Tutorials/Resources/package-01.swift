// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "IssueTracker",
  dependencies: [.package(path: "../OpenRealm")],
  targets: [
    .executableTarget(
      name: "IssueTracker",
      dependencies: [.product(name: "RealmSwift", package: "OpenRealm")])
  ]
)
