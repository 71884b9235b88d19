/// Which module may import which: the table of `Docs/adr/0001-layers-and-seam.md`.
///
/// The manifest stops a target from importing what it does not depend on; this table stops what the
/// manifest cannot see, such as a dependency of a dependency. A new target needs a row here.
enum ImportTable {
    /// What every target of a tier below the fourth may import besides its row.
    static let everywhere: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
    ]

    /// What one target may import; C targets have no row, they cannot import Swift.
    static let rows: [String: Set<String>] = [
        // Tier 1: values and leaves.
        "PhotoModel": [],
        "LibraryService": ["PhotoModel"],
        "Geography": ["PhotoModel"],
        "RenditionCodec": ["PhotoModel", "CTurboJPEG"],
        "WorkerProtocol": ["PhotoModel", "CLinuxShim"],
        "WorkerClient": ["PhotoModel", "WorkerProtocol", "CLinuxShim", "Logging"],

        // Tier 2: the engine. The values of LibraryService are its language (ADR 0001).
        "PhotoLibrary": [
            "PhotoModel", "Geography", "LibraryService", "WorkerProtocol", "WorkerClient",
            "CLinuxShim", "CCrypto", "GRDB", "GRDBSQLite", "Logging",
        ],
        "ImagePipeline": [
            "PhotoModel", "LibraryService", "PhotoLibrary", "WorkerProtocol", "WorkerClient",
            "RenditionCodec", "GRDB", "Logging",
        ],
        "ProgramAccess": ["PhotoModel", "LibraryService"],
        "EmbeddedLibrary": [
            "ProgramAccess", "PhotoModel", "LibraryService", "PhotoLibrary", "ImagePipeline",
            "WorkerClient",
            "WorkerProtocol", "Logging",
        ],

        // Tier 3: what programs import.
        "PhotosCompanions": [
            "PhotoModel", "Geography", "LibraryService", "WorkerProtocol", "WorkerClient",
            "RenditionCodec",
            "CLinuxShim", "Logging",
        ],
        "Photos": [
            "ProgramAccess", "PhotoModel", "LibraryService", "EmbeddedLibrary", "PhotosCompanions",
            "CLinuxShim",
            "Logging",
        ],
        "PhotosManagement": [
            "ProgramAccess", "PhotoModel", "LibraryService", "EmbeddedLibrary", "Photos",
            "CLinuxShim", "Logging",
        ],

        // Tier 4: ordinary clients of tier 3.
        "PhotosJSON": ["Photos", "PhotosManagement"],
        "PhotosGallery": [
            "Photos", "PhotosManagement", "PhotosJSON", "CCrypto", "Hummingbird", "HummingbirdCore",
            "HTTPTypes",
            "HummingbirdTLS", "NIOCore", "NIOSSL", "ServiceLifecycle", "Logging",
        ],
        "PhotosCLI": [
            "Photos", "PhotosManagement", "PhotosJSON", "PhotosGallery", "CQREncode",
            "ArgumentParser",
        ],

        // The worker: a program of its own that nobody imports.
        "PhotosWorker": [
            "PhotoModel", "WorkerProtocol", "Imaging", "Media", "CLinuxShim", "CSandboxShim",
        ],
        "Imaging": [
            "PhotoModel", "CHeif", "CVipsShim", "CLibRawShim", "CJXLShim", "CLcms", "CFFmpegShim",
        ],
        "Media": ["PhotoModel", "WorkerProtocol", "CExiv2Shim", "CFFmpegShim", "CZlib"],
    ]

    /// Targets whose declarations other packages see.
    static let publicTargets: Set<String> = [
        "Photos", "PhotosManagement", "PhotosCompanions", "PhotosJSON", "PhotosGallery",
    ]

    /// What a file of `target` may not import, of all that it does.
    static func forbidden(_ imports: Set<String>, in target: String) -> Set<String> {
        guard let row = rows[target] else { return imports }
        return imports.subtracting(row).subtracting(everywhere)
    }
}
