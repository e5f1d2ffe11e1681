// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what measures is no part of the product.
let package = Package(
  name: "contextdiff-benchmarks",
  dependencies: [.package(name: "contextdiff", path: "..")],
  targets: [
    // malloc and its like, counted: a program that defines them is asked before the C library is.
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Inside",
      dependencies: [
        "CAllocations",
        .product(name: "ContextDiff", package: "contextdiff"),
        .product(name: "JSON", package: "contextdiff"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
