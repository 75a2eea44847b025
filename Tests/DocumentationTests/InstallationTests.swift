import Foundation
import TestSupport
import Testing

/// What has to be installed is told everywhere alike: by the package, the script, the documentation, and failing builds.
struct InstallationTests {
  /// The Debian packages that Package.swift names for each system library.
  private let packages: [(library: String, package: String)] = {
    let manifest = Self.text("Package.swift")
    let expression =
      /systemLibrary\(name: "(?<library>\w+)", providers: \[\.apt\(\["(?<package>[^"]+)"\]\)\]\)/
    return manifest.matches(of: expression).map { ("\($0.library)", "\($0.package)") }
  }()

  private static func text(_ path: String) -> String {
    (try? String(contentsOf: Repository.folder.appending(path: path), encoding: .utf8)) ?? ""
  }

  @Test func namedEverywhere() {
    #expect(
      packages.map(\.package).sorted() == [
        "libedit-dev", "libintelrdfpmath-dev", "liblmdb-dev", "libmicrohttpd-dev", "libpq-dev",
        "libsqlite3-dev", "libssl-dev", "libxxhash-dev",
      ])
    for (_, package) in packages {
      let isForUsers = ![
        "libsqlite3-dev", "libedit-dev", "libmicrohttpd-dev", "libpq-dev", "liblmdb-dev",
      ].contains(package)
      #expect(Self.text("Scripts/install-dependencies").contains(package))
      for page in [
        "Examples/Clients/FirstSteps/Dockerfile", "Sources/RealmSwift/RealmSwift.docc/GettingStarted.md",
      ] {
        #expect(Self.text(page).contains(package) == isForUsers, "\(page): \(package)")
      }
    }
  }

  /// The compiler, which finds no headers here, says what to install.
  @Test func buildFailures() throws {
    for (library, package) in packages {
      let folder = "Sources/\(library)"
      let map = Self.text("\(folder)/module.modulemap")
      let header = try #require(map.firstMatch(of: /header "(?<name>[^"]+)"/)).name
      let output = try compile("\(folder)/\(header)")
      #expect(output.contains("apt-get install \(package)"), "\(output)")
    }
  }

  private func compile(_ header: String) throws -> String {
    let words = ["/usr/bin/env", "clang", "-nostdinc", "-fsyntax-only", "-x", "c", header]
    let compiler = try ChildProgram.run(words, folder: Repository.folder, readsError: true)
    return String(decoding: compiler.said, as: UTF8.self)
  }
}
