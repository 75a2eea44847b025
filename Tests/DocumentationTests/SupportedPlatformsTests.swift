import Foundation
import TestSupport
import Testing

/// What *Supported platforms* names is what scripts and containers use.
struct SupportedPlatformsTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.folder.appending(path: path), encoding: .utf8)
  }

  private static func article() throws -> String {
    try text("Sources/RealmSwift/RealmSwift.docc/SupportedPlatforms.md")
  }

  @Test func everyPackageOfTheManifestIsInTheTable() throws {
    let packages = try Self.text("Package.swift").matches(of: /\.apt\(\["([^"]+)"\]\)/).map { String($0.1) }
    #expect(packages.count == 8)
    let (article, script) = (try Self.article(), try Self.text("Scripts/install-dependencies"))
    for package in packages {
      #expect(article.contains("| `\(package)` |"), "\(package)")
      #expect(script.contains(package), "\(package)")
    }
  }

  @Test func containersHaveTheTestedSystem() throws {
    let article = try Self.article()
    for file in ["Dockerfile", "Examples/Clients/FirstSteps/Dockerfile"] {
      let images = try Self.text(file).matches(of: /FROM (\S+)/).map { String($0.1) }
      #expect(!images.isEmpty)
      for image in images { #expect(article.contains("`\(image)`"), "\(file): \(image)") }
    }
  }

  /// Packages that programs need to run, as an image has them.
  @Test func packagesOfTheImageAreInTheTable() throws {
    let (article, file) = (try Self.article(), try Self.text("Dockerfile"))
    let run = try #require(file.range(of: "AS build")).upperBound
    let image = try #require(file[run...].range(of: "FROM ")).upperBound
    let packages = file[image...].matches(of: /\blib[\w-]+/).map { String($0.0) }
    #expect(
      packages.sorted() == ["libedit2", "libmicrohttpd12", "libpq5", "libsqlite3-0", "libssl3"])
    for package in packages { #expect(article.contains("`\(package)`"), "\(package)") }
  }
}
