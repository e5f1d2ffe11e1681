// swift-tools-version: 6.2

import PackageDescription

var strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
// A warning fails what is to land; a user with a later compiler only sees it.
if Context.environment["CI"] != nil { strict.append(.treatAllWarnings(as: .error)) }
// All but the tests: each expression that is not safe says so, and why.
let memorySafe = strict + [.strictMemorySafety()]

// Who wants the engine alone asks for no trait, and fetches nothing; who wants the client, swift-nio.
let client: TargetDependencyCondition? = .when(traits: ["Client"])
let daemon: TargetDependencyCondition? = .when(traits: ["Daemon"])

let nioCore: Target.Dependency = .product(
  name: "NIOCore", package: "swift-nio", condition: client)
let nioPosix: Target.Dependency = .product(
  name: "NIOPosix", package: "swift-nio", condition: client)
let logging: Target.Dependency = .product(
  name: "Logging", package: "swift-log", condition: daemon)
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: daemon)

let package = Package(
  name: "contextdiff",
  // On Apple's systems the engine and JSON alone; Tests/SystemTests/test_apple.py checks that it needs nothing newer.
  platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
  products: [
    .library(name: "ContextDiff", targets: ["ContextDiff"]),
    .library(name: "ContextDiffClient", targets: ["ContextDiffClient"]),
    .library(name: "JSON", targets: ["JSON"]),
    .library(name: "Varlink", targets: ["Varlink"]),
    // What libcontextdiff.so is linked from; packaging/libcontextdiff.sh says how.
    .library(name: "contextdiff", type: .static, targets: ["ContextDiffLibrary"]),
    .library(name: "AsyncVarlink", targets: ["AsyncVarlink"]),
    .executable(name: "contextdiffd", targets: ["contextdiffd"]),
    .executable(name: "contextdiffctl", targets: ["contextdiffctl"]),
  ],
  traits: [
    .trait(
      name: "Client", description: "ContextDiffClient, which asks the daemon: needs swift-nio."),
    .trait(
      name: "Daemon", description: "contextdiffd and contextdiffctl: all that is fetched.",
      enabledTraits: ["Client"]),
    .default(enabledTraits: ["Daemon"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
  ],
  targets: [
    // The engine: what two snapshots mean. The standard library only.
    .target(
      name: "ContextDiff", swiftSettings: memorySafe,
      // Logarithms: where C's library has them apart, nothing that the engine imports names it.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
    .testTarget(
      name: "ContextDiffTests", dependencies: ["ContextDiff"], exclude: ["Cases", "Recordings"],
      swiftSettings: strict),

    // The engine for other languages: contextdiff.h, and the functions that it declares.
    .target(name: "CContextDiff"),
    .target(
      name: "ContextDiffLibrary",
      dependencies: ["CContextDiff", "ContextDiff", "ContextDiffLoopClient", "ContextDiffWire"],
      swiftSettings: memorySafe),
    // The daemon's client for a program with an event loop of its own.
    .target(
      name: "ContextDiffLoopClient",
      dependencies: ["CLinux", "ContextDiff", "ContextDiffWire", "JSON", "Varlink"],
      swiftSettings: memorySafe),

    // Strict reading and writing of JSON, without allocation. The standard library only.
    .target(name: "JSON", swiftSettings: memorySafe),
    .testTarget(
      name: "JSONTests", dependencies: ["TestSupport", "JSON", "Varlink"], swiftSettings: strict),

    // How this machine talks: the protocol with its server, and a client for Swift's tasks.
    .target(name: "Varlink", dependencies: ["CLinux", "JSON"], swiftSettings: memorySafe),
    .target(
      name: "AsyncVarlink", dependencies: ["JSON", "Varlink", nioCore, nioPosix],
      swiftSettings: memorySafe),
    .testTarget(
      name: "VarlinkTests",
      dependencies: [
        "TestSupport", "Systemd", "JSON", "Varlink", "AsyncVarlink", "CLinux", nioCore, nioPosix,
      ],
      swiftSettings: strict),
    // Plays both sides of org.varlink.certification for the tests; not installed.
    .executableTarget(
      name: "varlink-certification", dependencies: ["JSON", "Varlink", "AsyncVarlink"],
      path: "Tests/Certification", swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["Systemd", "Varlink"], path: "Tests/Support",
      swiftSettings: strict),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "Systemd", dependencies: ["CLinux", "CSystemd", logging], swiftSettings: memorySafe),
    .testTarget(
      name: "SystemdTests", dependencies: ["TestSupport", "Systemd", logging], swiftSettings: strict
    ),

    // What reads bytes of others, as functions of bytes: for its tests, and for `make fuzz`.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CLinux", "ContextDiff", "ContextDiffService", "ContextDiffWire", "JSON", "Varlink",
        logging,
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests",
      dependencies: ["ContextDiff", "ContextDiffService", "FuzzTargets", "TestSupport"],
      swiftSettings: strict),

    // What io.contextdiff means: its messages, then the daemon's side and a client's.
    .target(
      name: "ContextDiffWire", dependencies: ["ContextDiff", "JSON", "Varlink"],
      resources: [.embedInCode("io.contextdiff.varlink")], swiftSettings: memorySafe),
    .testTarget(
      name: "ContextDiffWireTests",
      dependencies: [
        "TestSupport", "CContextDiff", "ContextDiffLibrary", "ContextDiffWire", "ContextDiff",
        "JSON", "Varlink",
      ],
      swiftSettings: strict),
    // Settings are YAML, and what is wrong in a file is told with its line. libyaml itself: Yams
    // would link Foundation, which makes the daemon twice as large.
    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    // The Linux calls that Swift's Glibc module leaves out.
    .target(name: "CLinux"),
    // The daemon's free(3), which overwrites what is let go of.
    .target(name: "CWipingFree"),
    .target(
      name: "ContextDiffService",
      dependencies: [
        "CLinux", "CYaml", "ContextDiff", "ContextDiffWire", "JSON", "Varlink", "Systemd", logging,
        .product(name: "DequeModule", package: "swift-collections", condition: daemon),
        .product(name: "Configuration", package: "swift-configuration", condition: daemon),
      ],
      swiftSettings: memorySafe),
    .testTarget(
      name: "ContextDiffServiceTests",
      dependencies: [
        "TestSupport", "CLinux", "ContextDiffService", "ContextDiff", "ContextDiffWire", "Systemd",
        "Varlink", logging,
      ],
      swiftSettings: strict),
    .target(
      name: "ContextDiffClient",
      dependencies: [
        "ContextDiff", "ContextDiffWire", "JSON", "Varlink", "AsyncVarlink", nioCore, nioPosix,
      ],
      swiftSettings: memorySafe),
    .testTarget(
      name: "ContextDiffClientTests",
      dependencies: [
        "TestSupport", "AsyncVarlink", "ContextDiffClient", "ContextDiffLoopClient", "ContextDiff",
        "ContextDiffService", "ContextDiffWire", "JSON", "Systemd", "Varlink", logging,
      ],
      swiftSettings: strict),

    // What a keyboard in Swift does; the tests run it. Not installed as a program.
    .executableTarget(
      name: "swift-example", dependencies: ["ContextDiff", "ContextDiffClient"],
      path: "examples/swift", swiftSettings: memorySafe),

    // What a person reads of it: pairs drawn with their caret, explanations, tables, JSON lines.
    .target(
      name: "ContextDiffConsole",
      dependencies: ["ContextDiff", "ContextDiffWire", "JSON"],
      swiftSettings: memorySafe),
    .testTarget(
      name: "ContextDiffConsoleTests",
      dependencies: ["ContextDiffConsole", "ContextDiff", "ContextDiffWire"],
      swiftSettings: strict),

    // The page to play with; the one room that speaks HTTP, which the daemon does without.
    .target(
      name: "ContextDiffPlayground",
      dependencies: [
        "ContextDiff", "ContextDiffConsole", "ContextDiffWire", "JSON", nioCore, nioPosix,
        .product(name: "NIOHTTP1", package: "swift-nio", condition: daemon),
      ],
      resources: [.embedInCode("page.html")], swiftSettings: memorySafe),

    // The programs: options, wiring, exit statuses.
    .executableTarget(
      name: "contextdiffd",
      dependencies: [
        "CLinux", "CWipingFree", "ContextDiffService", "ContextDiffWire", "Systemd", "Varlink",
        argumentParser, logging,
      ],
      swiftSettings: memorySafe),
    .executableTarget(
      name: "contextdiffctl",
      dependencies: [
        "ContextDiffPlayground", "ContextDiffClient", "ContextDiffConsole", "ContextDiffWire",
        "CLinux", "ContextDiff", "Varlink", argumentParser,
      ],
      swiftSettings: memorySafe),
  ],
  swiftLanguageModes: [.v6]
)

// Linked with libFuzzer, which scripts/fuzz finds: no other build could be.
if Context.environment["CONTEXTDIFF_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver", swiftSettings: strict)
  )
}
