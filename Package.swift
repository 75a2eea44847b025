// swift-tools-version: 6.2
import PackageDescription

// Imports are the file's own business unless they say otherwise.
let settings: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

// Expectations take the optimiser longer than everything else together; what they test is optimised all the same.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// The largest module of tests is compiled last and alone: this way by all processors.
let fileByFile: [SwiftSetting] = [
  .unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
]

let package = Package(
  name: "OpenRealm",
  products: [
    .library(name: "RealmSwift", targets: ["RealmSwift"]),
    // For `import Realm`: the names that the official SDK has from Objective-C.
    .library(name: "Realm", targets: ["Realm"]),
    // Synchronises realms through PostgreSQL; only programs that import it need libpq.
    .library(name: "RealmSync", targets: ["RealmSync"]),
    .executable(name: "realm", targets: ["RealmTool"]),
  ],
  targets: [
    .systemLibrary(name: "CLMDB", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CDecimal128", providers: [.apt(["libintelrdfpmath-dev"])]),
    .systemLibrary(name: "CSwiftRuntime"),
    .systemLibrary(name: "CProcessor"),
    .systemLibrary(name: "CSystemCalls"),
    // The system's C library, whichever it is.
    .target(name: "LibC"),
    .target(name: "Encryption", dependencies: ["CCrypto", "LibC"], swiftSettings: settings),
    // Files of pages: versions of a map, checked and copied on write.
    .target(
      name: "Pages", dependencies: ["CSystemCalls", "CXXHash", "Encryption", "LibC"], swiftSettings: settings),
    // Files of LMDB, in which earlier versions of this library stored realms.
    .target(
      name: "EarlierFiles", dependencies: ["CProcessor", "Encryption", "LibC"], swiftSettings: settings),
    .target(
      name: "Storage",
      dependencies: [
        "CDecimal128", "CProcessor", "CSystemCalls", "EarlierFiles", "Encryption", "LibC", "Pages",
      ],
      swiftSettings: settings),
    .target(name: "QueryEngine", dependencies: ["CProcessor", "LibC", "Storage"], swiftSettings: settings),
    .target(name: "OfficialFiles", dependencies: ["CCrypto", "LibC"], swiftSettings: settings),
    .target(
      name: "OfficialConversion", dependencies: ["LibC", "OfficialFiles", "Storage"], swiftSettings: settings),
    .target(name: "SwiftRuntime", dependencies: ["CSwiftRuntime", "LibC"], swiftSettings: settings),
    .target(
      name: "RealmSwift",
      dependencies: [
        "OfficialConversion", "OfficialFiles", "QueryEngine", "Storage", "SwiftRuntime",
        "CSwiftRuntime", "CDecimal128", "LibC",
      ],
      swiftSettings: settings),
    .target(name: "Realm", dependencies: ["RealmSwift"], swiftSettings: settings),
    // The C interface: its headers, which are the manual, and their functions.
    .target(name: "COpenRealm"),
    .target(
      name: "OpenRealmC", dependencies: ["COpenRealm", "LibC", "QueryEngine", "RealmSwift", "Storage"],
      swiftSettings: settings),
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "Sync", dependencies: ["CPostgres", "LibC", "QueryEngine", "Storage"], swiftSettings: settings),
    .target(
      name: "RealmSync", dependencies: ["LibC", "QueryEngine", "RealmSwift", "Storage", "Sync"],
      swiftSettings: settings),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CEdit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CMicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    // The page of `realm studio`.
    .target(name: "StudioPage", exclude: ["Page"]),
    .executableTarget(
      name: "RealmTool",
      dependencies: [
        "CEdit", "CMicrohttpd", "CSQLite", "LibC", "OfficialConversion", "OfficialFiles", "QueryEngine",
        "RealmSwift", "Storage", "StudioPage", "Sync",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks", dependencies: ["COpenRealm", "OpenRealmC", "RealmSwift", "CLMDB", "CSQLite"],
      path: "Benchmarks", exclude: ["Pages", "Synchronisation"]),
    .executableTarget(
      name: "PagesBenchmarks", dependencies: ["CLMDB", "CSQLite", "LibC", "Pages"], path: "Benchmarks/Pages"),
    .executableTarget(
      name: "SyncBenchmarks", dependencies: ["RealmSync", "Storage", "Sync", "TestSupport"],
      path: "Benchmarks/Synchronisation"),
    .executableTarget(
      name: "WorldCities", dependencies: ["RealmSwift"], path: "Examples/WorldCities", exclude: ["Data"]),
    .executableTarget(name: "SyncDemo", dependencies: ["RealmSync"], path: "Examples/SyncDemo"),
    .target(
      name: "TestSupport", dependencies: ["LibC", "Storage"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(
      name: "PagesTestSupport", dependencies: ["LibC", "Pages"], path: "Tests/PagesTests/Support",
      swiftSettings: settings),
    .executableTarget(
      name: "PagesTestWorker", dependencies: ["LibC", "Pages", "PagesTestSupport"],
      path: "Tests/PagesTests/Worker"),
    .testTarget(
      name: "PagesTests",
      dependencies: ["LibC", "Pages", "PagesTestSupport", "PagesTestWorker", "TestSupport"],
      exclude: ["Support", "Worker"]),
    .testTarget(
      name: "StorageTests",
      dependencies: [
        "CDecimal128", "CProcessor", "EarlierFiles", "Pages", "Storage", "SwiftRuntime", "TestSupport",
      ]),
    .testTarget(
      name: "QueryEngineTests", dependencies: ["CProcessor", "QueryEngine", "Storage", "TestSupport"],
      swiftSettings: unoptimised),
    .testTarget(
      name: "OfficialFilesTests",
      dependencies: [
        "CCrypto", "OfficialConversion", "OfficialFiles", "RealmSwift", "Storage", "TestSupport",
      ],
      exclude: ["Samples/Files"], swiftSettings: unoptimised),
    .executableTarget(
      name: "RuntimeTestProgram", dependencies: ["RealmSwift", "SwiftRuntime"],
      path: "Tests/SwiftRuntimeTests/Program"),
    .testTarget(
      name: "SwiftRuntimeTests", dependencies: ["RuntimeTestProgram", "SwiftRuntime", "TestSupport"],
      exclude: ["Program"]),
    .testTarget(
      name: "RealmSwiftTests", dependencies: ["RealmSwift", "SwiftRuntime", "TestSupport"],
      exclude: ["Opening/EarlierFiles"], swiftSettings: unoptimised + fileByFile),
    .executableTarget(
      name: "CInterfaceProgram", dependencies: ["COpenRealm", "OpenRealmC"],
      path: "Tests/CInterfaceTests/Program"),
    .executableTarget(
      name: "CInterfaceFuzzer", dependencies: ["COpenRealm", "OpenRealmC"],
      path: "Tests/CInterfaceTests/Fuzzer"),
    .testTarget(
      name: "CInterfaceTests",
      dependencies: ["CInterfaceFuzzer", "CInterfaceProgram", "RealmSwift", "TestSupport"],
      exclude: ["Fuzzer", "Program"]),
    .testTarget(name: "RealmTests", dependencies: ["Realm", "TestSupport"]),
    // The samples of the documentation, as programs would have them.
    .testTarget(
      name: "DocumentationTests", dependencies: ["RealmSwift", "TestSupport"], swiftSettings: unoptimised),
    .target(name: "ProcessTestModels", dependencies: ["RealmSwift"], path: "Tests/ProcessTests/Models"),
    .executableTarget(
      name: "RealmTestWorker",
      dependencies: ["OfficialConversion", "ProcessTestModels", "RealmSwift", "Storage"],
      path: "Tests/ProcessTests/Worker"),
    .testTarget(
      name: "ProcessTests",
      dependencies: ["ProcessTestModels", "RealmSwift", "RealmTestWorker", "TestSupport"],
      exclude: ["Models", "Worker"]),
    // The clients of Scripts/test-sync-network.
    .executableTarget(name: "SyncFleet", dependencies: ["RealmSync"], path: "Tests/SyncTests/Fleet"),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "CDecimal128", "CPostgres", "LibC", "RealmSwift", "RealmSync", "Storage", "Sync", "TestSupport",
      ],
      exclude: ["Fleet", "Server/Golden"], swiftSettings: unoptimised),
    .testTarget(
      name: "RealmToolTests",
      dependencies: ["CSQLite", "RealmSwift", "RealmTool", "Storage", "Sync", "TestSupport"],
      swiftSettings: unoptimised),
    .executableTarget(
      name: "Torture", dependencies: ["ProcessTestModels", "RealmSwift", "Storage", "TestSupport"],
      path: "Tests/Torture"),
    .testTarget(name: "StructureTests", dependencies: ["RealmSwift", "TestSupport"]),
    .testTarget(name: "TortureTests", dependencies: ["TestSupport", "Torture"]),
  ]
)

// `make test-quick` builds the tests of one layer, and only what these need.
if let chosen = Context.environment["OPENREALM_TESTS"] {
  func dependencies(of name: String) -> [String] {
    let target = package.targets.first { $0.name == name }
    return target?.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
      ?? []
  }
  var reached: Set<String> = []
  var next = [chosen]
  while let name = next.popLast() {
    if reached.insert(name).inserted { next += dependencies(of: name) }
  }
  package.targets.removeAll { !reached.contains($0.name) }
  // The tests of the tool run it.
  package.products.removeAll { $0.name != "realm" || !reached.contains("RealmTool") }
}
