internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// An asset of a source whose files were copied, hashed and probed.
struct StagedMigration: Sendable {
    /// A staged file of the asset.
    struct File: Sendable {
        var role: ForeignResource.Role
        /// The path at the source; nil for a file that the import made.
        var path: String?
        /// The volume that contains the file; nil if the source itself contains it.
        var volume: String?
        /// The file's entry in the source listing; nil for a file that the import created.
        var entry: SourceListing.Entry?
        var staged: StagedFile
        var facts: MediaFacts?
        var record: AssetRecord?
        var pixels: PixelMemory?

        /// Indicates whether the file is a sidecar that the import created.
        var isMadeSidecar: Bool { role == .sidecar && path == nil }
    }

    /// The result of comparing the original with its fingerprint.
    enum Check: Sendable {
        case equal, changed, damaged, notVerifiable
    }

    var asset: ForeignAsset
    var plan: MigrationPlan.Step
    /// The files; the first is the original or its proxy.
    var files: [File]
    var check: Check
    /// The notes from staging, for the report.
    var notes: [MigrationNote]
    /// The kinds of metadata in the sidecar that the import writes, as the report names them.
    var sidecarContent: [String]
    /// The roles of the source files that were read, other than files of edits.
    var roles: Set<ForeignResource.Role> = []
    /// Indicates whether all available files of the edit were read.
    var isEditWhole = true
    /// Indicates whether the source no longer has the edit that was imported.
    var revertsEdit = false
    /// The sidecar that was created, possibly without content; nil if the asset keeps its current
    /// sidecar.
    var sidecar: MadeSidecar?
    /// Indicates whether a later state of the source was imported before.
    var isOlder = false

    /// The original that seems to be damaged; nil if the original is intact.
    var damaged: DamagedOriginal? {
        guard check == .damaged, let original = file(.original), let entry = original.entry,
            let note = notes.first(where: { $0.code == "damaged" })
        else { return nil }
        return DamagedOriginal(
            sha256: original.staged.digest.hexadecimal,
            size: entry.size,
            modificationTime: entry.modificationTime,
            text: note.text
        )
    }

    func file(_ role: ForeignResource.Role) -> File? { files.first { $0.role == role } }

    /// Removes the files from the staging folder; files already placed are not affected.
    func discard() { for file in files { file.staged.discard() } }
}

extension ForeignResource.Role {
    /// Indicates whether files of this role belong to an edit.
    ///
    /// The files of an edit are compared as a whole.
    var isOfEdit: Bool {
        switch self {
        case .render, .renderPairedVideo, .adjustmentBase, .adjustments: true
        case .original, .pairedVideo, .alternatePhoto, .cameraAdjustments, .sidecar, .proxy: false
        }
    }
}
