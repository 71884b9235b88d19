internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// The facts that the current reader finds in an asset's original files.
struct AssetReading: Sendable {
    /// A file, the facts found in it, and the record that the file would have as a separate asset.
    struct Part: Sendable {
        var resource: ResourceRecord
        var facts: MediaFacts
        var record: AssetRecord
    }

    /// A file that is stored as a sidecar but is not one.
    struct Stray: Sendable {
        var resource: ResourceRecord
        /// The image or movie in the file; nil if the library does not support the file as a
        /// medium.
        var medium: Part?
    }

    /// The row id of the asset.
    var assetID: Int64
    /// The asset's resources when its files were read; the reading is valid for these resources
    /// only.
    var resources: [ResourceRecord]
    /// The asset's still, movie or sound.
    var primary: Part
    /// Indicates whether the primary file's date in the file system is known.
    var hasFileTime: Bool
    /// The other originals, such as the movie of a Live Photo or the RAW beside a JPEG.
    var partners: [Part] = []
    /// XMP sidecars in the order of their import, without those that Takeout imports wrote.
    var sidecars: [Part] = []
    var strays: [Stray] = []
    /// Indicates whether each file's SHA-256 was compared with the file's row.
    var isVerified = false

    var movie: Part? { partners.first { $0.resource.type == .pairedVideo } }
}
