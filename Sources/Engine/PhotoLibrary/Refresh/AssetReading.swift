internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// What the present reader finds in the original files of an asset.
struct AssetReading: Sendable {
    /// A file, what is in it, and the record that it would make alone.
    struct Part: Sendable {
        var resource: ResourceRecord
        var facts: MediaFacts
        var record: AssetRecord
    }

    /// A file that is stored as a sidecar and is none.
    struct Stray: Sendable {
        var resource: ResourceRecord
        /// The picture or movie that it is; nil for what the library does not hold as such.
        var medium: Part?
    }

    /// The row id of the asset.
    var assetID: Int64
    /// Its resources as they were when they were read: what follows holds for these alone.
    var resources: [ResourceRecord]
    /// The still, movie or sound that the asset is.
    var primary: Part
    /// Whether a date of the file system is known for it.
    var hasFileTime: Bool
    /// The other originals: the movie of a Live Photo, the RAW beside a JPEG.
    var partners: [Part] = []
    /// XMP sidecars, in the order in which they came.
    var sidecars: [Part] = []
    var strays: [Stray] = []
    /// Whether the SHA-256 of each file was compared with its row.
    var isVerified = false

    var movie: Part? { partners.first { $0.resource.type == .pairedVideo } }
}
