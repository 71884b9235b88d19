// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "NoirGrid",
    dependencies: [
        // The path to the checkout of swift-photos.
        .package(name: "swift-photos", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "NoirGrid",
            dependencies: [.product(name: "Photos", package: "swift-photos")]
        )
    ],
    swiftLanguageModes: [.v6]
)
