// swift-tools-version: 6.2
import PackageDescription

// An older program, in Swift 5, with the API spellings of its time.
let package = Package(
    name: "AlbumBook",
    dependencies: [
        // By its URL: .package(url: "https://…/swift-photos", from: "…", traits: [])
        .package(name: "swift-photos", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "AlbumBook",
            dependencies: [
                .product(name: "Photos", package: "swift-photos"),
                .product(name: "PhotosShims", package: "swift-photos"),
            ]
        )
    ],
    swiftLanguageModes: [.v5]
)
