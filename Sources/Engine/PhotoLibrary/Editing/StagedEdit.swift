internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// An edit whose files were copied, hashed and probed before the writer lock was taken.
struct StagedEdit: Sendable {
    /// A rendered file or the adjustment data.
    struct File: Sendable {
        var type: ResourceType
        var contentType: String
        var pathExtension: String
        var pixelSize: PixelSize
        var file: StagedFile
    }

    var files: [File]
    /// The record that the rendered photo or video would have as a separate asset.
    var record: AssetRecord
    /// A small rendition of the rendered photo or video.
    var rendition: PixelMemory?
    var formatIdentifier: String
    var bases: [String]

    /// Indicates whether the movie of a Live Photo was rendered as well.
    var hasPairedVideo: Bool { files.contains { $0.type == .fullSizePairedVideo } }

    /// Removes the staged files; files already placed are not affected.
    func discard() {
        for file in files { file.file.discard() }
    }
}

/// The staged parts of a change set, each keyed by the index of its operation.
struct StagedChanges: Sendable {
    var creations: [Int: StagedCreation] = [:]
    var edits: [Int: StagedEdit] = [:]
    var originals: [Int: OriginalFacts] = [:]

    /// Removes the staged files that were not placed.
    func discard() {
        for creation in creations.values {
            for resource in creation.resources { resource.file.discard() }
        }
        for edit in edits.values { edit.discard() }
    }
}
