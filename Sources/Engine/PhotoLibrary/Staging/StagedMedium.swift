internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A file of a batch that was copied, hashed and, unless its content is known, probed.
struct StagedMedium: Sendable {
    /// The facts found in the content.
    enum Content: Sendable {
        /// A resource has the same content, so the file was not probed.
        case known
        /// A medium, and the record that it would have as a separate asset.
        case medium(MediaFacts, AssetRecord, firstRendition: PixelMemory?)
        /// A sidecar; the record contains the metadata that it adds.
        case sidecar(MediaFacts, AssetRecord)
    }

    /// The source file as it was when it was read.
    var source: SourceFile
    var name: SourceName
    var file: StagedFile
    var content: Content
    /// The movie embedded in a still.
    var embeddedMovie: EmbeddedMovie?
    /// Indicates whether the file is complete; a truncated rendered edit cannot replace its
    /// original.
    var isWhole = true

    /// Removes the files from the staging folder; files already placed are not affected.
    func discard() {
        file.discard()
        embeddedMovie?.file.discard()
    }
}
