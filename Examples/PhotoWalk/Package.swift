// swift-tools-version: 6.2
import PackageDescription

// A program as it was written for an iPhone, and what it takes to build it here: two products.
let package = Package(
    name: "PhotoWalk",
    dependencies: [
        // Elsewhere: .package(url: "https://…/swift-photos", from: "…").
        .package(name: "swift-photos", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "PhotoWalk",
            dependencies: [
                .product(name: "Photos", package: "swift-photos"),
                .product(name: "PhotosShims", package: "swift-photos"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
