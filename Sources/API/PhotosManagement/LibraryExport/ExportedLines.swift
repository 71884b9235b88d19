internal import Foundation
internal import PhotoModel

/// A line of `library.jsonl`: the header, or an asset, an album or a folder.
///
/// Keys without a value are absent. Dates are ISO 8601 in UTC. Types are the numbers that the
/// library's database uses.
enum ExportedLine {
    /// The first line, which describes the library and the export.
    struct Header: Encodable {
        var kind = "library"
        var format = 1
        var libraryIdentifier: String
        var version: Int64
        var softwareVersion: String
        /// The number of exported assets.
        var assets: Int
        /// The number of hidden assets, whether exported or not; with those in Recently Deleted if
        /// the export includes Recently Deleted.
        var hidden: Int
        /// The number of assets in Recently Deleted, whether exported or not.
        var deleted: Int
        var includesHidden: Bool
        var includesDeleted: Bool
    }

    /// An exported file.
    struct File: Encodable {
        var path: String?
        var uuid: String
        var type: Int
        var originalFilename: String
        var contentType: String
        var size: Int64
        var sha256: String
        var pixelWidth: Int
        var pixelHeight: Int
        /// Indicates whether the file was made by an edit.
        var isOfEdit: Bool
    }

    struct Place: Encodable {
        var latitude: Double
        var longitude: Double
        var altitude: Double?
    }

    struct Camera: Encodable {
        var make: String?
        var model: String?
        var lens: String?
        var software: String?
        var aperture: Double?
        var exposureTime: Double?
        var isoSpeed: Int?
        var focalLength: Double?
        var focalLengthIn35mmFilm: Double?

        init(_ facts: PhotoModel.CameraFacts) {
            (make, model, lens, software) = (facts.make, facts.model, facts.lens, facts.software)
            (aperture, exposureTime, isoSpeed) =
                (facts.aperture, facts.exposureTime, facts.isoSpeed)
            focalLength = facts.focalLength
            focalLengthIn35mmFilm = facts.focalLengthIn35mmFilm
        }
    }

    /// An asset with its files.
    struct Asset: Encodable {
        var kind = "asset"
        var uuid: String
        var mediaType: Int
        var mediaSubtypes: UInt
        var playbackStyle: Int
        var sourceType: UInt
        var pixelWidth: Int
        var pixelHeight: Int
        var duration: Double
        var frameRate: Double?
        var creationDate: String?
        var captureWallTime: String?
        var captureOffset: Int?
        var captureWallTimeSource: String?
        var captureInstantSource: String?
        var modificationDate: String
        var addedDate: String
        var location: Place?
        var isFavorite: Bool
        var isHidden: Bool
        var trashedDate: String?
        var burstIdentifier: String?
        var burstSelectionTypes: UInt
        var representsBurst: Bool
        var contentIdentifier: String?
        var hasAdjustments: Bool
        var adjustmentFormatIdentifier: String?
        var adjustmentTimestamp: String?
        var originalFilename: String
        var contentType: String
        var title: String?
        var caption: String?
        var keywords: [String]
        var rating: Int
        var camera: Camera
        var originalResourceChoice: Int
        var readerVersion: Int
        var personFacts: Int
        var xmp: String?
        var files: [File]

        init(_ record: AssetRecord, xmp: String?, files: [File]) {
            uuid = record.uuid
            mediaType = record.mediaType.rawValue
            mediaSubtypes = record.mediaSubtypes.rawValue
            playbackStyle = record.playbackStyle.rawValue
            sourceType = record.sourceType.rawValue
            pixelWidth = record.pixelSize.width
            pixelHeight = record.pixelSize.height
            duration = record.duration
            frameRate = record.frameRate
            creationDate = record.creationDate.map(ExportDate.text)
            captureWallTime = record.captureTime?.wallTime
            captureOffset = record.captureTime?.offset
            captureWallTimeSource = record.captureTime?.wallTimeSource.rawValue
            captureInstantSource = record.captureTime?.instantSource.rawValue
            modificationDate = ExportDate.text(record.modificationDate)
            addedDate = ExportDate.text(record.addedDate)
            location = record.location.map {
                Place(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
            }
            isFavorite = record.isFavorite
            isHidden = record.isHidden
            trashedDate = record.trashedDate.map(ExportDate.text)
            burstIdentifier = record.burstIdentifier
            burstSelectionTypes = record.burstSelectionTypes.rawValue
            representsBurst = record.representsBurst
            contentIdentifier = record.contentIdentifier
            hasAdjustments = record.hasAdjustments
            adjustmentFormatIdentifier = record.adjustmentFormatIdentifier
            adjustmentTimestamp = record.adjustmentTimestamp.map(ExportDate.text)
            originalFilename = record.originalFilename
            contentType = record.contentType
            title = record.title
            caption = record.caption
            keywords = record.keywords
            rating = record.rating
            camera = Camera(record.camera)
            originalResourceChoice = record.originalResourceChoice
            readerVersion = record.readerVersion
            personFacts = record.personFacts.rawValue
            self.xmp = xmp
            self.files = files
        }
    }

    /// An album or a folder.
    struct Collection: Encodable {
        /// `album` or `folder`.
        var kind: String
        var uuid: String
        var title: String
        /// The UUID of the parent folder; absent at the top level.
        var parent: String?
        var creationDate: String
        var modificationDate: String
        /// The path of the folder to which the collection was exported; absent if albums are not
        /// exported as folders.
        var path: String?
        /// The UUIDs of an album's exported assets, in the album's order.
        var members: [String]?
    }

    /// The content of `.album.json` in an album's folder: the members in the album's order.
    struct AlbumFolder: Encodable {
        struct Member: Encodable {
            var localIdentifier: String
            /// The name of the member's link or copy in the folder.
            var name: String
        }

        var title: String
        var localIdentifier: String
        var members: [Member]
    }

    /// Returns a value as one line of JSON, with a newline.
    static func text(_ value: some Encodable) throws(LibraryError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw LibraryError(
                .internalError,
                "A line of library.jsonl cannot be written.",
                reason: "\(error)"
            )
        }
    }
}
