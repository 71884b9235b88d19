internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A file of a batch that was copied, hashed and, unless its content is known, probed.
struct StagedMedium: Sendable {
    /// The kind and metadata of the file's content.
    enum Content: Sendable {
        /// The library already has a resource with the same content, so the file was not probed.
        case known
        /// A photo, movie or other medium, with the record that it would have as a separate asset.
        case medium(MediaFacts, AssetRecord, firstRendition: PixelMemory?)
        /// A sidecar, with a record that contains the metadata that the sidecar states.
        case sidecar(MediaFacts, AssetRecord)
    }

    /// The path and status of the source file at the time it was read.
    var source: SourceFile
    var name: SourceName
    var file: StagedFile
    var content: Content
    /// The movie embedded in the file; nil if the file is not a still with an embedded movie.
    var embeddedMovie: EmbeddedMovie?
    /// Indicates whether the file is complete.
    ///
    /// A truncated rendered edit cannot replace its original.
    var isWhole = true

    /// Indicates whether the library has a resource with the same content.
    var isKnown: Bool {
        if case .known = content { true } else { false }
    }

    /// Removes the medium's files from the staging folder; files that were already moved into the
    /// library are not affected.
    func discard() {
        file.discard()
        embeddedMovie?.file.discard()
    }
}
