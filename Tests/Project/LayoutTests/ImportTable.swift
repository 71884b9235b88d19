/// The modules that each module may import: the table of `Docs/adr/0001-layers-and-seam.md`.
///
/// The manifest prevents a target from importing a module that it does not depend on. This table
/// covers what the manifest cannot see, such as a dependency of a dependency. A new target needs a
/// row here.
enum ImportTable {
    /// The modules that every target below tier 4 may import besides its row.
    static let everywhere: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
    ]

    /// The modules that each target may import; C targets have no row, because they cannot import
    /// Swift.
    static let rows: [String: Set<String>] = [
        // Tier 1: values and leaves.
        "PhotoModel": [],
        "LibraryService": ["PhotoModel"],
        "Geography": ["PhotoModel"],
        "RenditionCodec": ["PhotoModel", "CTurboJPEG"],
        "BinaryCoding": ["PhotoModel"],
        "WorkerProtocol": ["PhotoModel", "BinaryCoding", "CLinuxShim"],
        "WorkerClient": ["PhotoModel", "WorkerProtocol", "CLinuxShim", "Logging"],
        "ObjectStorage": ["CCrypto"],
        // Only photos-cloud links them.
        "StoreClients": [
            "ObjectStorage", "CCrypto", "CLinuxShim", "AsyncHTTPClient", "NIOCore", "NIOHTTP1",
            "NIOPosix", "NIOSSL",
        ],
        "StoreProtocol": ["ObjectStorage", "WorkerProtocol", "CLinuxShim"],
        "CloudStoreClient": [
            "ObjectStorage", "StoreProtocol", "WorkerProtocol", "WorkerClient", "CLinuxShim",
        ],

        // Tier 2: the engine. It uses the values of LibraryService (ADR 0001).
        "PhotoLibrary": [
            "PhotoModel", "Geography", "LibraryService", "WorkerProtocol", "WorkerClient",
            "CloudSync", "CLinuxShim", "CCrypto", "GRDB", "GRDBSQLite", "Logging",
        ],
        "ImagePipeline": [
            "PhotoModel", "LibraryService", "PhotoLibrary", "WorkerProtocol", "WorkerClient",
            "RenditionCodec", "GRDB", "Logging",
        ],
        "ProgramAccess": ["PhotoModel", "LibraryService", "CLinuxShim"],
        "PeerIdentity": ["ProgramAccess", "CLinuxShim"],
        "RemoteLibrary": [
            "PhotoModel", "BinaryCoding", "LibraryService", "RenditionCodec", "CLinuxShim",
        ],
        "DaemonCore": [
            "PhotoModel", "BinaryCoding", "LibraryService", "RemoteLibrary", "PeerIdentity",
            "ProgramAccess",
            "CLinuxShim",
        ],
        "ImportSources": [
            "PhotoModel", "LibraryService", "RemoteLibrary", "CLinuxShim", "Logging",
        ],
        "CloudSync": ["PhotoModel"],
        "CloudKeys": ["PhotoModel", "LibraryService", "CloudSync", "CCrypto", "Crypto"],
        "CloudHost": [
            "PhotoModel", "LibraryService", "PhotoLibrary", "EmbeddedLibrary", "RemoteLibrary",
            "CloudSync", "CloudKeys", "ObjectStorage", "CloudStoreClient", "StoreProtocol",
            "CLinuxShim", "Crypto", "Logging",
        ],
        "EmbeddedLibrary": [
            "ProgramAccess", "PhotoModel", "LibraryService", "PhotoLibrary", "ImagePipeline",
            "WorkerClient",
            "CloudSync", "WorkerProtocol", "Logging",
        ],

        // Tier 3: the modules that programs import.
        "PhotosCompanions": [
            "PhotoModel", "Geography", "LibraryService", "WorkerProtocol", "WorkerClient",
            "RenditionCodec",
            "CLinuxShim", "Logging",
        ],
        "Photos": [
            "ProgramAccess", "PhotoModel", "LibraryService", "EmbeddedLibrary", "RemoteLibrary",
            "PhotosCompanions", "CLinuxShim",
            "Logging",
        ],
        "PhotosManagement": [
            "ProgramAccess", "PhotoModel", "LibraryService", "EmbeddedLibrary", "Photos",
            // For the state of the daemon.
            "RemoteLibrary",
            // For the files of an import, and the list of watch folders.
            "ImportSources",
            // For photos-device, which no library is involved in.
            "WorkerClient", "WorkerProtocol",
            "CLinuxShim", "Logging",
        ],

        // Tier 4: ordinary clients of tier 3.
        "PhotosJSON": ["Photos", "PhotosManagement"],
        "PhotosGallery": [
            "Photos", "PhotosManagement", "PhotosJSON", "CCrypto", "Hummingbird", "HummingbirdCore",
            "HTTPTypes",
            "HummingbirdTLS", "NIOCore", "NIOHTTP1", "NIOSSL", "ServiceLifecycle", "Logging",
        ],
        "PhotosCLI": [
            "Photos", "PhotosManagement", "PhotosJSON", "PhotosGallery", "CQREncode",
            "ArgumentParser", "Logging",
        ],

        // The daemon, which is no client of tier 3 but another host of the engine.
        "PhotoLibraryDaemon": [
            "DaemonCore", "RemoteLibrary", "EmbeddedLibrary", "PhotoLibrary", "LibraryService",
            "PeerIdentity", "PhotoModel", "ProgramAccess", "ImportSources", "CloudHost",
            "CLinuxShim", "ArgumentParser", "Logging",
        ],

        // The worker: a separate program that no target imports.
        "PhotosWorker": [
            "PhotoModel", "WorkerProtocol", "Imaging", "Media", "CLinuxShim", "CSandboxShim",
            "CSQLiteShim",
        ],
        // The program that reads cameras and phones, which no target imports either.
        "PhotosDevice": ["WorkerProtocol", "CGPhotoShim", "CSandboxShim"],
        // The program that reaches the stores of cloud libraries, the only one with a network.
        "PhotosCloud": [
            "ObjectStorage", "StoreClients", "StoreProtocol", "WorkerProtocol", "CLinuxShim",
            "CSandboxShim",
        ],
        "Imaging": [
            "PhotoModel", "CHeif", "CVipsShim", "CLibRawShim", "CJXLShim", "CLcms", "CFFmpegShim",
        ],
        "Media": ["PhotoModel", "WorkerProtocol", "CExiv2Shim", "CFFmpegShim", "CZlib"],
    ]

    /// The targets whose declarations other packages see.
    static let publicTargets: Set<String> = [
        "Photos", "PhotosManagement", "PhotosCompanions", "PhotosJSON", "PhotosGallery",
    ]

    /// Returns those imports that a file of `target` may not have.
    static func forbidden(_ imports: Set<String>, in target: String) -> Set<String> {
        guard let row = rows[target] else { return imports }
        return imports.subtracting(row).subtracting(everywhere)
    }
}
