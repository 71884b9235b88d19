internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// An asset of a source whose files were copied, hashed and probed.
struct StagedMigration: Sendable {
    /// A staged file of the asset.
    struct File: Sendable {
        var role: ForeignResource.Role
        /// The path at the source; nil for a file that was made.
        var path: String?
        var staged: StagedFile
        var facts: MediaFacts?
        var record: AssetRecord?
        var pixels: PixelMemory?
    }

    /// The comparison of the original with its fingerprint.
    enum Check: Sendable {
        case equal, changed, damaged, notVerifiable
    }

    var asset: ForeignAsset
    var plan: MigrationPlan.Step
    /// The files; the first is the original or its proxy.
    var files: [File]
    var check: Check
    /// The notes from staging.
    var notes: [MigrationNote]
    /// The names of what is kept in a sidecar.
    var sidecarContent: [String]

    func file(_ role: ForeignResource.Role) -> File? { files.first { $0.role == role } }

    /// Removes the files from the staging folder; files already placed are not affected.
    func discard() { for file in files { file.staged.discard() } }
}
