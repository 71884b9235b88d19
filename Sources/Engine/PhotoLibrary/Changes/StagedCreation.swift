internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A new asset whose files were copied, hashed and probed before the writer lock was taken.
struct StagedCreation: Sendable {
    /// A file of the new asset.
    struct Resource: Sendable {
        var type: ResourceType
        var originalFilename: String
        /// The content type detected from the content, or the client's value for adjustment data.
        var contentType: String
        var pathExtension: String
        var pixelSize: PixelSize
        var file: StagedFile
    }

    /// The record derived from the files, without the values that the request sets.
    var record: AssetRecord
    var edit: AssetEdit
    var resources: [Resource]
    /// The preview embedded in the file that the new asset shows (its rendered edit or else its
    /// original); nil if there is none.
    var rendition: PixelMemory?
}
