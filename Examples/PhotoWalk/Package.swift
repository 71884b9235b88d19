// swift-tools-version: 6.2
import PackageDescription

// A program written for an iPhone. To build it here, its target needs two products.
let package = Package(
    name: "PhotoWalk",
    dependencies: [
        // By its URL: .package(url: "https://…/swift-photos", from: "…", traits: [])
        .package(name: "swift-photos", path: "../..", traits: [])
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
