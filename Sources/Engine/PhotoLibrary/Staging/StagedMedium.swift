internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A file of a batch that was copied, hashed and, unless its bytes are known, probed.
struct StagedMedium: Sendable {
    /// What was found in the bytes.
    enum Content: Sendable {
        /// A resource has the same bytes, so nobody looked inside.
        case known
        /// A medium of its own, and the record it would make.
        case medium(MediaFacts, AssetRecord, firstRendition: PixelMemory?)
        /// A sidecar; the record holds the texts that it adds.
        case sidecar(MediaFacts, AssetRecord)
    }

    /// The file as it was when it was read.
    var source: SourceFile
    var name: SourceName
    var file: StagedFile
    var content: Content
    /// The movie that lies inside a still.
    var embeddedMovie: EmbeddedMovie?
    /// False for a rendered edit that is cut short: it cannot stand for its original.
    var isWhole = true

    /// Removes its files from the staging folder; those that were placed are not there any more.
    func discard() {
        file.discard()
        embeddedMovie?.file.discard()
    }
}
