internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// An edit whose files were copied, hashed and looked into, before the writer lock is taken.
struct StagedEdit: Sendable {
    /// A rendered file, or the adjustments.
    struct File: Sendable {
        var type: ResourceType
        var contentType: String
        var pathExtension: String
        var pixelSize: PixelSize
        var file: StagedFile
    }

    var files: [File]
    /// What the rendered photo or video would be as an asset of its own.
    var record: AssetRecord
    /// The rendered photo or video, small.
    var rendition: PixelMemory?
    var formatIdentifier: String
    var bases: [String]

    /// Whether the movie of a Live Photo was rendered, too.
    var hasPairedVideo: Bool { files.contains { $0.type == .fullSizePairedVideo } }

    /// Removes what was staged; what was placed is gone from there.
    func discard() {
        for file in files { file.file.discard() }
    }
}

/// What a change set brings besides values, by position of the operation.
struct StagedChanges: Sendable {
    var creations: [Int: StagedCreation] = [:]
    var edits: [Int: StagedEdit] = [:]
    var originals: [Int: OriginalFacts] = [:]

    /// Removes what was staged and not placed.
    func discard() {
        for creation in creations.values {
            for resource in creation.resources { resource.file.discard() }
        }
        for edit in edits.values { edit.discard() }
    }
}
