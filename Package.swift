// swift-tools-version: 6.2
import PackageDescription

/// Set by `.ci/run`: our own warnings fail that build and are only printed in others.
let warningsAreErrors = Context.environment["PHOTOS_WARNINGS_AS_ERRORS"] == "1"

/// Swift 6 mode everywhere, and imports with explicit access levels.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

/// Modules with Apple's names that re-export what `Photos` exports anyway, for programs that import
/// UIKit or Core Image beside Photos.
///
/// A package that tests for one of these modules with `canImport` would assume that it runs on an
/// iPhone. The list must therefore contain no name that one of our dependencies tests for, which a
/// test verifies. That is why CoreGraphics is absent.
///
/// When a test imports one of them together with Testing, the compiler also imports a cross-import
/// overlay, such as `_Testing_AppKit`, so those modules are here too.
let shims = [
    "UIKit", "AppKit", "Cocoa", "CoreImage", "CoreLocation", "AVFoundation", "AVKit", "CoreMedia",
    "ImageIO", "UniformTypeIdentifiers", "MobileCoreServices", "_Testing_AppKit",
    "_Testing_UIKit", "_Testing_CoreImage",
]

/// A dependency that only the programs of this package need.
///
/// A client that turns the trait `Programs` off resolves none of their packages.
func program(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Programs"]))
}

let package = Package(
    name: "swift-photos",
    products: [
        .library(name: "Photos", targets: ["Photos"]),
        .library(name: "PhotosManagement", targets: ["PhotosManagement"]),
        .library(name: "PhotosShims", targets: shims),
        .executable(name: "photos", targets: ["PhotosCLI"]),
        .executable(name: "photos-worker", targets: ["PhotosWorker"]),
        .executable(name: "photos-device", targets: ["PhotosDevice"]),
        .executable(name: "photos-cloud", targets: ["PhotosCloud"]),
        .executable(name: "photolibraryd", targets: ["PhotoLibraryDaemon"]),
    ],
    traits: [
        .trait(
            name: "Programs",
            description: "What only the command, the gallery and the benchmarks need."
        ),
        .default(enabledTraits: ["Programs"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
        // Only for the gallery, and without its traits, none of which the gallery needs.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: []
        ),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
        // Only for the stores of cloud libraries.
        .package(
            url: "https://github.com/swift-server/async-http-client",
            from: "1.37.0",
            traits: []
        ),
        // Only for the keys of cloud libraries.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    ],
    targets: [
        // Tier 0: C.
        .target(name: "CLinuxShim", path: "Sources/Base/CLinuxShim"),
        .systemLibrary(
            name: "CTurboJPEG",
            path: "Sources/Base/CTurboJPEG",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]
        ),
        .systemLibrary(
            name: "CCrypto",
            path: "Sources/Base/CCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        // Only for the command, which shows the gallery's address as a QR code for phones.
        .systemLibrary(
            name: "CQREncode",
            path: "Sources/Base/CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        ),

        // Tier 0, only for the worker.
        .systemLibrary(
            name: "CGLib",
            path: "Sources/Worker/CGLib",
            pkgConfig: "glib-2.0",
            providers: [.apt(["libglib2.0-dev"])]
        ),
        .systemLibrary(
            name: "CZlib",
            path: "Sources/Worker/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "CHeif",
            path: "Sources/Worker/CHeif",
            pkgConfig: "libheif",
            providers: [.apt(["libheif-dev"])]
        ),
        .systemLibrary(
            name: "CLcms",
            path: "Sources/Worker/CLcms",
            pkgConfig: "lcms2",
            providers: [.apt(["liblcms2-dev"])]
        ),
        .target(
            name: "CVipsShim",
            dependencies: ["CGLib"],
            path: "Sources/Worker/CVipsShim",
            linkerSettings: [
                .linkedLibrary("vips"), .linkedLibrary("gobject-2.0"), .linkedLibrary("jpeg"),
            ]
        ),
        .target(
            name: "CLibRawShim",
            path: "Sources/Worker/CLibRawShim",
            linkerSettings: [.linkedLibrary("raw")]
        ),
        .target(
            name: "CJXLShim",
            path: "Sources/Worker/CJXLShim",
            linkerSettings: [.linkedLibrary("jxl")]
        ),
        .target(
            name: "CExiv2Shim",
            path: "Sources/Worker/CExiv2Shim",
            linkerSettings: [.linkedLibrary("exiv2")]
        ),
        .target(
            name: "CFFmpegShim",
            path: "Sources/Worker/CFFmpegShim",
            linkerSettings: [
                .linkedLibrary("avformat"), .linkedLibrary("avcodec"), .linkedLibrary("avutil"),
                .linkedLibrary("swscale"), .linkedLibrary("swresample"),
            ]
        ),
        .target(
            name: "CSQLiteShim",
            path: "Sources/Worker/CSQLiteShim",
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .target(
            name: "CGPhotoShim",
            path: "Sources/Worker/CGPhotoShim",
            linkerSettings: [.linkedLibrary("gphoto2"), .linkedLibrary("gphoto2_port")]
        ),
        .target(
            name: "CSandboxShim",
            path: "Sources/Worker/CSandboxShim",
            linkerSettings: [.linkedLibrary("seccomp")]
        ),

        // Tier 1: values and leaves.
        .target(name: "PhotoModel", path: "Sources/Base/PhotoModel", swiftSettings: strict),
        .target(
            name: "LibraryService",
            dependencies: ["PhotoModel"],
            path: "Sources/Engine/LibraryService",
            swiftSettings: strict
        ),
        .target(
            name: "Geography",
            dependencies: ["PhotoModel"],
            path: "Sources/Base/Geography",
            resources: [
                .copy("Resources/places.gazetteer"), .copy("Resources/zones.timezones"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "RenditionCodec",
            dependencies: ["PhotoModel", "CTurboJPEG"],
            path: "Sources/Base/RenditionCodec",
            swiftSettings: strict
        ),
        // The form of messages between processes.
        .target(
            name: "BinaryCoding",
            dependencies: ["PhotoModel"],
            path: "Sources/Base/BinaryCoding",
            swiftSettings: strict
        ),
        .target(
            name: "WorkerProtocol",
            dependencies: ["PhotoModel", "BinaryCoding", "CLinuxShim"],
            path: "Sources/Base/WorkerProtocol",
            swiftSettings: strict
        ),
        .target(
            name: "WorkerClient",
            dependencies: [
                "PhotoModel", "WorkerProtocol", "CLinuxShim",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Base/WorkerClient",
            swiftSettings: strict
        ),
        // The stores of cloud libraries: their protocol and values, without any network.
        .target(
            name: "ObjectStorage",
            dependencies: ["CCrypto"],
            path: "Sources/Base/ObjectStorage",
            swiftSettings: strict
        ),
        // The stores in S3 and in directories, which only photos-cloud and tests link.
        .target(
            name: "StoreClients",
            dependencies: [
                "ObjectStorage", "CCrypto", "CLinuxShim",
                program("AsyncHTTPClient", of: "async-http-client"),
                program("NIOCore", of: "swift-nio"),
                program("NIOHTTP1", of: "swift-nio"),
                program("NIOPosix", of: "swift-nio"),
                program("NIOSSL", of: "swift-nio-ssl"),
            ],
            path: "Sources/Base/StoreClients",
            swiftSettings: strict
        ),
        .target(
            name: "StoreProtocol",
            dependencies: ["ObjectStorage", "WorkerProtocol", "CLinuxShim"],
            path: "Sources/Base/StoreProtocol",
            swiftSettings: strict
        ),
        .target(
            name: "CloudStoreClient",
            dependencies: [
                "ObjectStorage", "StoreProtocol", "WorkerProtocol", "WorkerClient", "CLinuxShim",
            ],
            path: "Sources/Base/CloudStoreClient",
            swiftSettings: strict
        ),

        // Tier 2: the engine.
        .target(
            name: "PhotoLibrary",
            dependencies: [
                "PhotoModel", "Geography", "LibraryService", "WorkerProtocol", "WorkerClient",
                "CloudSync", "CLinuxShim", "CCrypto",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Engine/PhotoLibrary",
            swiftSettings: strict
        ),
        .target(
            name: "ImagePipeline",
            dependencies: [
                "PhotoModel", "PhotoLibrary", "WorkerProtocol", "WorkerClient", "RenditionCodec",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Engine/ImagePipeline",
            swiftSettings: strict
        ),
        // The permissions of programs, as the user chose them, and the prompt for permission.
        .target(
            name: "ProgramAccess",
            dependencies: ["PhotoModel", "LibraryService", "CLinuxShim"],
            path: "Sources/Engine/ProgramAccess",
            swiftSettings: strict
        ),
        .target(
            name: "RemoteLibrary",
            dependencies: [
                "PhotoModel", "BinaryCoding", "LibraryService", "RenditionCodec", "CLinuxShim",
            ],
            path: "Sources/Engine/RemoteLibrary",
            swiftSettings: strict
        ),
        // Which files are imported, and the folders that the daemon watches.
        .target(
            name: "ImportSources",
            dependencies: [
                "PhotoModel", "LibraryService", "RemoteLibrary", "CLinuxShim",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Engine/ImportSources",
            swiftSettings: strict
        ),
        .target(
            name: "DaemonCore",
            dependencies: [
                "PhotoModel", "BinaryCoding", "LibraryService", "RemoteLibrary", "PeerIdentity",
                "ProgramAccess",
                "CLinuxShim",
            ],
            path: "Sources/Engine/DaemonCore",
            swiftSettings: strict
        ),
        // Tells which program is at the other end of a socket; only the daemon links it.
        .target(
            name: "PeerIdentity",
            dependencies: ["ProgramAccess", "CLinuxShim"],
            path: "Sources/Engine/PeerIdentity",
            swiftSettings: strict
        ),
        // The cloud library's operations and a state machine; pure values.
        .target(
            name: "CloudSync",
            dependencies: ["PhotoModel"],
            path: "Sources/Engine/CloudSync",
            swiftSettings: strict
        ),
        // The keys, certificates and encrypted forms of a cloud library's objects.
        .target(
            name: "CloudKeys",
            dependencies: [
                "PhotoModel", "LibraryService", "CloudSync", "CCrypto",
                program("Crypto", of: "swift-crypto"),
            ],
            path: "Sources/Engine/CloudKeys",
            swiftSettings: strict
        ),
        // The daemon's connection of libraries to their cloud libraries.
        .target(
            name: "CloudHost",
            dependencies: [
                "PhotoModel", "LibraryService", "PhotoLibrary", "EmbeddedLibrary", "RemoteLibrary",
                "CloudSync", "CloudKeys", "ObjectStorage", "CloudStoreClient", "StoreProtocol",
                "CLinuxShim",
                program("Crypto", of: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Engine/CloudHost",
            swiftSettings: strict
        ),
        .target(
            name: "EmbeddedLibrary",
            dependencies: [
                "ProgramAccess", "PhotoModel", "LibraryService", "PhotoLibrary", "ImagePipeline",
                "WorkerClient", "CloudSync",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Engine/EmbeddedLibrary",
            swiftSettings: strict
        ),

        // Tier 3: the public modules.
        .target(
            name: "PhotosCompanions",
            dependencies: [
                "PhotoModel", "Geography", "LibraryService", "WorkerProtocol", "WorkerClient",
                "CLinuxShim",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/API/PhotosCompanions",
            swiftSettings: strict
        ),
        .target(
            name: "Photos",
            dependencies: [
                "ProgramAccess", "PhotoModel", "LibraryService", "EmbeddedLibrary",
                "RemoteLibrary", "PhotosCompanions", "CLinuxShim",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/API/Photos",
            swiftSettings: strict
        ),
        .target(
            name: "PhotosManagement",
            dependencies: [
                "ProgramAccess", "PhotoModel", "LibraryService", "EmbeddedLibrary", "Photos",
                "RemoteLibrary", "ImportSources", "CLinuxShim", "WorkerClient", "WorkerProtocol",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/API/PhotosManagement",
            swiftSettings: strict
        ),

        // Makes `import CoreImage.CIFilterBuiltins` resolve.
        .systemLibrary(name: "CCoreImage", path: "Sources/API/Shims/CCoreImage"),

        // Tier 4: ordinary clients of the public modules.
        .target(
            name: "PhotosJSON",
            dependencies: ["Photos", "PhotosManagement"],
            path: "Sources/Programs/PhotosJSON",
            packageAccess: false,
            swiftSettings: strict
        ),
        .target(
            name: "PhotosGallery",
            dependencies: [
                "Photos", "PhotosManagement", "PhotosJSON", "CCrypto",
                program("Hummingbird", of: "hummingbird"),
                program("HTTPTypes", of: "swift-http-types"),
                program("HummingbirdCore", of: "hummingbird"),
                program("HummingbirdTLS", of: "hummingbird"),
                program("NIOCore", of: "swift-nio"),
                program("NIOHTTP1", of: "swift-nio"),
                program("NIOSSL", of: "swift-nio-ssl"),
                program("ServiceLifecycle", of: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Programs/PhotosGallery",
            resources: [.copy("Page")],
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "PhotosCLI",
            dependencies: [
                "Photos", "PhotosManagement", "PhotosJSON", "PhotosGallery", "CQREncode",
                program("ArgumentParser", of: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Programs/PhotosCLI",
            packageAccess: false,
            swiftSettings: strict
        ),
        // The daemon, which uses the engine and is no client of the public modules.
        .executableTarget(
            name: "PhotoLibraryDaemon",
            dependencies: [
                "DaemonCore", "RemoteLibrary", "EmbeddedLibrary", "PhotoLibrary", "LibraryService",
                "PeerIdentity", "PhotoModel", "ProgramAccess", "ImportSources", "CLinuxShim",
                "CloudHost",
                program("ArgumentParser", of: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Programs/PhotoLibraryDaemon",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "PhotosWorker",
            dependencies: [
                "PhotoModel", "WorkerProtocol", "Imaging", "Media", "CLinuxShim", "CSandboxShim",
                "CSQLiteShim",
            ],
            path: "Sources/Worker/PhotosWorker",
            swiftSettings: strict
        ),
        // The program that reads cameras and phones, a process apart from the worker.
        .executableTarget(
            name: "PhotosDevice",
            dependencies: ["WorkerProtocol", "CGPhotoShim", "CSandboxShim"],
            path: "Sources/Worker/PhotosDevice",
            swiftSettings: strict
        ),
        // The only program with a network, for the stores of cloud libraries.
        .executableTarget(
            name: "PhotosCloud",
            dependencies: [
                "ObjectStorage", "StoreClients", "StoreProtocol", "WorkerProtocol", "CLinuxShim",
                "CSandboxShim",
            ],
            path: "Sources/Worker/PhotosCloud",
            swiftSettings: strict
        ),
        .target(
            name: "Imaging",
            dependencies: [
                "PhotoModel", "CHeif", "CLcms", "CVipsShim", "CLibRawShim", "CJXLShim",
                "CFFmpegShim",
            ],
            path: "Sources/Worker/Imaging",
            swiftSettings: strict
        ),
        .target(
            name: "Media",
            dependencies: ["PhotoModel", "WorkerProtocol", "CExiv2Shim", "CFFmpegShim", "CZlib"],
            path: "Sources/Worker/Media",
            swiftSettings: strict
        ),

        // Sample photos, drawn in code, for the demo and the tests.
        .target(
            name: "SamplePhotos",
            dependencies: ["PhotoModel", "RenditionCodec"],
            path: "Samples/SamplePhotos",
            // Drawing pixel by pixel is a hundred times slower without optimization.
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),
        .executableTarget(
            name: "photos-samples",
            dependencies: [
                "SamplePhotos", "PhotoModel",
                program("ArgumentParser", of: "swift-argument-parser"),
            ],
            path: "Samples/photos-samples",
            swiftSettings: strict
        ),

        // The documentation's code, compiled as ordinary clients.
        .executableTarget(
            name: "example-newest",
            dependencies: ["Photos"],
            path: "Examples/example-newest",
            packageAccess: false,
            swiftSettings: strict
        ),
        .target(
            name: "DocumentationExamples",
            dependencies: ["Photos", "PhotosManagement"],
            path: "Examples/DocumentationExamples",
            packageAccess: false,
            swiftSettings: strict
        ),

        // Benchmarks need package symbols, so they are in this package, but never part of a
        // product.
        .target(
            name: "CBenchmarkPeers",
            path: "Benchmarks/CBenchmarkPeers",
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("turbojpeg")]
        ),
        // A scrolling grid, for benchmarks and tests.
        .target(
            name: "GridScrolling",
            dependencies: ["Photos"],
            path: "Benchmarks/GridScrolling",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "photos-benchmarks",
            dependencies: [
                "CBenchmarkPeers", "GridScrolling",
                "Photos", "PhotosManagement", "PhotoLibrary", "LibraryService", "EmbeddedLibrary",
                "ImagePipeline", "RemoteLibrary", "BinaryCoding", "RenditionCodec", "SamplePhotos",
                "CLinuxShim", "CloudSync", "PhotoModel", "PhotosWorker", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                program("ArgumentParser", of: "swift-argument-parser"),
            ],
            path: "Benchmarks/PhotosBenchmarks",
            swiftSettings: strict
        ),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: [
                "SamplePhotos", "PhotoModel",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support",
            swiftSettings: strict
        ),
        // A program that tests start many times and kill.
        .executableTarget(
            name: "change-hammer",
            dependencies: ["EmbeddedLibrary", "LibraryService", "PhotoModel"],
            path: "Tests/HelperPrograms/ChangeHammer",
            swiftSettings: strict
        ),
        // A program that follows changes, for tests that need other processes, and the code that it
        // shares with those tests.
        .target(
            name: "ChangeFollowing",
            dependencies: ["Photos"],
            path: "Tests/HelperPrograms/ChangeFollowing",
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "observing-client",
            dependencies: ["ChangeFollowing", "Photos", "PhotosManagement"],
            path: "Tests/HelperPrograms/ObservingClient",
            packageAccess: false,
            swiftSettings: strict
        ),
        // A program that requests permission, for tests of access.
        .executableTarget(
            name: "access-client",
            dependencies: ["Photos", "PhotosManagement"],
            path: "Tests/HelperPrograms/AccessClient",
            packageAccess: false,
            swiftSettings: strict
        ),
        // Each call of the seam, as a program with any permission makes it.
        .target(
            name: "PermissionProbes",
            dependencies: ["LibraryService", "PhotoModel", "RemoteLibrary"],
            path: "Tests/HelperPrograms/PermissionProbes",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "permission-client",
            dependencies: ["PermissionProbes", "RemoteLibrary", "LibraryService", "PhotoModel"],
            path: "Tests/HelperPrograms/PermissionClient",
            swiftSettings: strict
        ),
        // Computers and a store that fail in all ways, for the tests of the cloud's protocol.
        .target(
            name: "CloudSimulation",
            dependencies: ["CloudSync", "PhotoModel"],
            path: "Tests/Engine/CloudSimulation",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CloudSyncTests",
            dependencies: ["CloudSync", "CloudSimulation", "PhotoModel", "TestSupport"],
            path: "Tests/Engine/CloudSyncTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CloudHostTests",
            dependencies: [
                "CloudHost", "CloudSync", "CloudKeys", "ObjectStorage", "StoreClients",
                "EmbeddedLibrary", "PhotoLibrary", "LibraryService", "RemoteLibrary", "PhotoModel",
                "PhotosWorker", "RenditionFixture", "SamplePhotos", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Engine/CloudHostTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CloudKeysTests",
            dependencies: [
                "CloudKeys", "CloudSync", "ObjectStorage", "StoreClients", "PhotoModel",
                "LibraryService",
                "SamplePhotos", "TestSupport",
                program("Crypto", of: "swift-crypto"),
            ],
            path: "Tests/Engine/CloudKeysTests",
            exclude: ["Oracle"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProgramAccessTests",
            dependencies: ["ProgramAccess", "LibraryService", "PhotoModel", "TestSupport"],
            path: "Tests/Engine/ProgramAccessTests",
            swiftSettings: strict
        ),
        // The stores that the conformance suite runs on.
        .target(
            name: "StoreFixture",
            dependencies: [
                "ObjectStorage", "StoreClients", "StoreProtocol", "CloudStoreClient", "TestSupport",
            ],
            path: "Tests/Base/StoreFixture",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ObjectStorageTests",
            dependencies: ["ObjectStorage", "StoreFixture", "TestSupport"],
            path: "Tests/Base/ObjectStorageTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "StoreClientsTests",
            dependencies: [
                "StoreClients", "ObjectStorage", "StoreFixture", "PhotosCloud", "TestSupport",
            ],
            path: "Tests/Base/StoreClientsTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CloudStoreClientTests",
            dependencies: [
                "CloudStoreClient", "StoreProtocol", "ObjectStorage", "WorkerProtocol",
                "WorkerClient", "StoreFixture", "PhotosCloud", "CLinuxShim", "TestSupport",
            ],
            path: "Tests/Base/CloudStoreClientTests",
            swiftSettings: strict
        ),
        // A server with a library of its own kind, which tests start as a process and kill.
        .target(
            name: "DaemonFakes",
            dependencies: [
                "DaemonCore", "RemoteLibrary", "LibraryService", "PhotoModel", "PeerIdentity",
                "ProgramAccess", "CLinuxShim",
            ],
            path: "Tests/Engine/DaemonFakes",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "daemon-stand-in",
            dependencies: [
                "DaemonFakes", "DaemonCore", "RemoteLibrary", "LibraryService", "PhotoModel",
                "CLinuxShim",
            ],
            path: "Tests/HelperPrograms/DaemonStandIn",
            swiftSettings: strict
        ),
        .testTarget(
            name: "DaemonCoreTests",
            dependencies: [
                "DaemonCore", "DaemonFakes", "daemon-stand-in", "RemoteLibrary", "BinaryCoding",
                "LibraryService",
                "PhotoModel", "PeerIdentity", "ProgramAccess", "CLinuxShim", "SamplePhotos",
                "TestSupport",
            ],
            path: "Tests/Engine/DaemonCoreTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ImportSourcesTests",
            dependencies: [
                "ImportSources", "LibraryService", "PhotoModel", "RemoteLibrary", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Engine/ImportSourcesTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "RemoteLibraryTests",
            dependencies: [
                "RemoteLibrary", "BinaryCoding", "LibraryService", "PhotoModel", "CLinuxShim",
                "RenditionCodec", "SamplePhotos",
                "TestSupport",
            ],
            path: "Tests/Engine/RemoteLibraryTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PeerIdentityTests",
            dependencies: ["PeerIdentity", "ProgramAccess", "CLinuxShim", "TestSupport"],
            path: "Tests/Engine/PeerIdentityTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "TestSupport", "SamplePhotos", "PhotoModel", "DocumentationExamples",
                "example-newest", "PhotosCLI", "PhotosWorker",
            ],
            path: "Tests/Project/DocumentationTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LayoutTests",
            dependencies: ["TestSupport"],
            path: "Tests/Project/LayoutTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LibraryServiceTests",
            dependencies: ["LibraryService", "PhotoModel", "TestSupport"],
            path: "Tests/Engine/LibraryServiceTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotoModelTests",
            dependencies: ["PhotoModel", "TestSupport"],
            path: "Tests/Base/PhotoModelTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "WorkerProtocolTests",
            dependencies: ["WorkerProtocol", "PhotoModel", "CLinuxShim", "TestSupport"],
            path: "Tests/Base/WorkerProtocolTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "MediaTests",
            dependencies: [
                "Media", "Imaging", "WorkerProtocol", "PhotoModel", "PhotosWorker", "SamplePhotos",
                "TestSupport",
            ],
            path: "Tests/Worker/MediaTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ImagingTests",
            dependencies: ["Imaging", "PhotoModel", "SamplePhotos", "TestSupport"],
            path: "Tests/Worker/ImagingTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotosJSONTests",
            dependencies: [
                "PhotosJSON", "Photos", "PhotosManagement", "PhotosWorker", "SamplePhotos",
                "PhotoModel", "TestSupport",
            ],
            path: "Tests/Programs/PhotosJSONTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "RenditionCodecTests",
            dependencies: ["RenditionCodec", "PhotoModel", "TestSupport"],
            path: "Tests/Base/RenditionCodecTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "SamplePhotosTests",
            dependencies: ["SamplePhotos", "TestSupport"],
            path: "Tests/Project/SamplePhotosTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "WorkerClientTests",
            dependencies: [
                "WorkerClient", "WorkerProtocol", "PhotoModel", "SamplePhotos", "TestSupport",
                "PhotosWorker", "CLinuxShim",
            ],
            path: "Tests/Worker/WorkerClientTests",
            // Comparing pixel by pixel is a hundred times slower without optimization.
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),
        // A library with drawn photos, for the tests of images and of clients.
        .target(
            name: "RenditionFixture",
            dependencies: [
                "ImagePipeline", "PhotoLibrary", "LibraryService", "WorkerClient", "WorkerProtocol",
                "PhotoModel", "SamplePhotos", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Engine/RenditionFixture",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ImagePipelineTests",
            dependencies: [
                "ImagePipeline", "RenditionFixture", "PhotoLibrary", "LibraryService",
                "RenditionCodec", "WorkerClient", "WorkerProtocol", "PhotoModel", "PhotosWorker",
                "SamplePhotos", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Engine/ImagePipelineTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotoLibraryTests",
            dependencies: [
                "PhotoLibrary", "Geography", "LibraryService", "WorkerClient", "WorkerProtocol",
                "PhotoModel", "CloudSync", "CloudSimulation", "RemoteLibrary",
                "SamplePhotos", "TestSupport", "RenditionCodec",
                "EmbeddedLibrary", "ProgramAccess", "ImagePipeline", "RenditionFixture",
                "PhotosWorker", "change-hammer",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Engine/PhotoLibraryTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotosCompanionsTests",
            dependencies: [
                "PhotosCompanions", "PhotoModel", "WorkerClient", "WorkerProtocol", "PhotosWorker",
                "SamplePhotos", "TestSupport",
            ],
            path: "Tests/API/PhotosCompanionsTests",
            swiftSettings: strict
        ),
        // The façade over a fake library, which tests what crosses the seam and what does not.
        .testTarget(
            name: "PhotosSeamTests",
            dependencies: [
                "Photos", "PhotosManagement", "PhotosCompanions", "LibraryService", "PhotoModel",
                "TestSupport",
                "RemoteLibrary", "RenditionCodec", "WorkerClient", "EmbeddedLibrary",
                "PhotoLibrary", "CloudSync", "RenditionFixture", "SamplePhotos", "PhotosWorker",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/API/PhotosSeamTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotoLibraryDaemonTests",
            dependencies: [
                "PhotoLibraryDaemon", "PhotosCLI", "PhotosCloud", "PhotosWorker", "DaemonCore",
                "DaemonFakes",
                "RemoteLibrary", "LibraryService", "PhotoModel", "SamplePhotos", "TestSupport",
                "CLinuxShim", "EmbeddedLibrary", "PhotoLibrary", "observing-client",
                "access-client",
                "permission-client", "PermissionProbes", "ProgramAccess", "StoreFixture",
                "WorkerClient", "Photos", "PhotosManagement", "PhotosCompanions",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Programs/PhotoLibraryDaemonTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotosTests",
            dependencies: [
                "Photos", "PhotosManagement", "PhotosWorker", "PhotosCLI", "photos-samples",
                "ChangeFollowing", "observing-client",
            ],
            path: "Tests/API/PhotosTests",
            packageAccess: false,
            swiftSettings: strict
        ),
        // Comparisons of pictures with those of other programs, and requests that must end with an
        // answer.
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Photos", "PhotosManagement", "PhotosWorker", "GridScrolling", "SamplePhotos",
                "PhotoModel", "TestSupport",
            ],
            path: "Tests/API/ConformanceTests",
            // Comparing pixel by pixel is a hundred times slower without optimization.
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),
        // Code of other programs that uses Apple's module names, compiled as those programs are.
        .testTarget(
            name: "PhotosShimsTests",
            dependencies: shims.map { .byName(name: $0) } + [
                "SamplePhotos", "PhotoModel", "TestSupport", "PhotosWorker",
            ],
            path: "Tests/API/PhotosShimsTests",
            swiftSettings: [.swiftLanguageMode(.v6)]
                + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
        ),
        .testTarget(
            name: "PhotosManagementTests",
            dependencies: ["Photos", "PhotosManagement", "PhotosWorker"],
            path: "Tests/API/PhotosManagementTests",
            packageAccess: false,
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotosGalleryTests",
            dependencies: [
                "PhotosGallery", "PhotosCLI", "Photos", "PhotosManagement", "PhotosWorker",
                "SamplePhotos", "PhotoModel", "TestSupport", "change-hammer",
            ],
            path: "Tests/Programs/PhotosGalleryTests",
            exclude: ["Browser/Driver"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotosCLITests",
            dependencies: [
                "SamplePhotos", "PhotoModel", "TestSupport", "PhotosCLI", "PhotosWorker",
                "PhotosDevice", "access-client", "observing-client",
            ],
            path: "Tests/Programs/PhotosCLITests",
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)

package.targets += shims.map { name in
    .target(
        name: name,
        dependencies: ["PhotosCompanions"] + (name == "CoreImage" ? ["CCoreImage"] : []),
        path: "Sources/API/Shims/\(name)",
        swiftSettings: strict
    )
}

// Coverage and mutants (Scripts/coverage, Scripts/mutants) build the tests of some targets alone.
if let tested = Context.environment["PHOTOS_TESTED"], !tested.isEmpty {
    var needed: Set<String> = []
    var next = tested.split(separator: ",").map { "\($0)Tests" }
    while let name = next.popLast() {
        guard needed.insert(name).inserted,
            let target = package.targets.first(where: { $0.name == name })
        else { continue }
        for case .byNameItem(let name, _) in target.dependencies { next.append(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    // Tests start programs by their products' names.
    package.products.removeAll { product in
        guard let program = product as? Product.Executable else { return true }
        return !program.targets.allSatisfy(needed.contains)
    }
}

// Fuzzing (Scripts/fuzz) instruments our own code, which takes flags that packages with clients may not have.
if Context.environment["PHOTOS_FUZZ"] == "1" {
    for target in package.targets where target.type == .regular {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer,address"])]
        let flags = [
            "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=undefined",
        ]
        target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(flags)]
        target.cxxSettings = (target.cxxSettings ?? []) + [.unsafeFlags(flags)]
    }
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
        .executableTarget(
            name: "photos-fuzz",
            dependencies: [
                "CFuzzer", "CLinuxShim", "Media", "PhotoModel", "WorkerProtocol", "SamplePhotos",
                "Photos", "CloudKeys", "CloudSync",
                "PhotosManagement", "PhotosGallery",
                program("Hummingbird", of: "hummingbird"),
                program("HTTPTypes", of: "swift-http-types"),
            ],
            path: "Tests/Fuzzing/PhotosFuzz",
            swiftSettings: strict + [.unsafeFlags(["-sanitize=address"])],
            linkerSettings: [
                .unsafeFlags([
                    // gold fails on the debugging information of instrumented code.
                    "-sanitize=fuzzer,address", "-use-ld=lld",
                    // libFuzzer's own main, which is linked in but not used, names a function.
                    "-Xlinker", "--defsym=LLVMFuzzerTestOneInput=photos_fuzz_main",
                ])
            ]
        ),
    ]
}
