internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A new asset whose files were copied, hashed and looked into, before the writer lock is taken.
struct StagedCreation: Sendable {
    /// A file of it.
    struct Resource: Sendable {
        var type: ResourceType
        var originalFilename: String
        /// By content; for adjustment data what the client says.
        var contentType: String
        var pathExtension: String
        var pixelSize: PixelSize
        var file: StagedFile
    }

    /// The record that its files make; the request's own values are not set yet.
    var record: AssetRecord
    var edit: AssetEdit
    var resources: [Resource]
    /// The camera's preview of what clients see, when there is one.
    var rendition: PixelMemory?
}
