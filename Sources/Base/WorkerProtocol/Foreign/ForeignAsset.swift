package import PhotoModel

/// An asset in another program's library, or in an export of a library.
///
/// Dates are seconds since 2001-01-01 00:00 UTC.
package struct ForeignAsset: Codable, Hashable, Sendable {
    /// The identifier of the asset in its source: a canonical UUID, or the path of an archive's
    /// entry.
    package var item: String
    /// The UUID for the imported asset, unless it is already taken; nil to create one.
    package var uuid: String?
    package var originalFilename: String
    package var isVideo = false
    package var facts = ForeignFacts()
    package var subtypes: Set<ForeignSubtype> = []
    package var people: [ForeignPerson] = []
    /// The names of the place, from the most precise to the country.
    package var placeNames: [String] = []
    package var comments: [String] = []
    package var timeZoneName: String?
    package var burst: ForeignBurst?
    /// The identifier that the two files of a Live Photo share.
    package var contentIdentifier: String?
    /// The current edit; nil for an unedited asset.
    package var edit: ForeignEdit?
    /// Indicates whether the RAW file of a RAW and JPEG pair is displayed.
    package var showsRAW = false
    package var isShared = false
    package var isReferenced = false
    /// Indicates whether the import was never tested with assets of this kind.
    ///
    /// Examples are assets of a shared library.
    package var isOfUnverifiedScope = false
    package var fingerprint: String?
    /// The size of the original in bytes as stated by the database.
    package var originalSize: Int64?
    package var resources: [ForeignResource] = []
    /// The asset's record in an export; nil for assets of other programs, which have `facts`
    /// instead.
    ///
    /// Its row id is 0.
    package var exact: AssetRecord?
    /// The paths of files that describe the asset and are not imported themselves.
    package var descriptions: [String] = []
    /// The notes that the reader adds, each with a code such as `dateRejected`.
    package var notes: [ForeignNote] = []

    package init(item: String, uuid: String?, originalFilename: String) {
        self.item = item
        self.uuid = uuid
        self.originalFilename = originalFilename
    }
}

/// The values of an asset that people can see and change.
package struct ForeignFacts: Codable, Hashable, Sendable {
    package var creationDate: Double?
    /// The offset of the capture time from UTC, in seconds to the east.
    package var captureOffset: Int?
    package var addedDate: Double?
    package var modificationDate: Double?
    package var isFavorite = false
    package var isHidden = false
    package var isTrashed = false
    package var trashedDate: Double?
    package var title: String?
    package var caption: String?
    package var keywords: [String] = []
    /// The rating; nil if the source states none.
    package var rating: Int?
    package var isFlagged: Bool?
    package var latitude: Double?
    package var longitude: Double?
    package var altitude: Double?

    package init() {}
}

/// A media subtype, as a foreign library states it.
package enum ForeignSubtype: String, Codable, Hashable, Sendable, CaseIterable {
    case panorama, hdr, screenshot, live, depth, highFrameRate, timelapse, screenRecording
    case spatial, cinematic
}

/// A person who is named in an image.
package struct ForeignPerson: Codable, Hashable, Sendable {
    package var name: String
    /// The center and the size of the face, 0...1, with the origin at the top left; nil if unknown.
    package var region: [Double]?

    package init(name: String, region: [Double]?) {
        self.name = name
        self.region = region
    }
}

/// The membership of an asset in a burst.
package struct ForeignBurst: Codable, Hashable, Sendable {
    package var identifier: String
    package var isAutoPick = false
    package var isUserPick = false
    package var isKey = false

    package init(identifier: String) { self.identifier = identifier }
}

/// The edit of a foreign asset.
package struct ForeignEdit: Codable, Hashable, Sendable {
    package var formatIdentifier: String?
    package var formatVersion: String?
    /// The time of the edit in seconds since 2001-01-01.
    package var timestamp: Double?
    /// The adjustment data, if the database contains them.
    package var data: [UInt8]?
    /// Indicates whether a rendering of the edit is expected.
    ///
    /// An automatic slow-motion edit has none.
    package var hasRender = true

    package init() {}
}

/// A remark about an item of the source.
package struct ForeignNote: Codable, Hashable, Sendable {
    package var code: String
    package var text: String

    package init(code: String, text: String) {
        self.code = code
        self.text = text
    }
}
