/// An album whose members follow from the properties of assets.
///
/// Raw values are those of `PHAssetCollectionSubtype`. Smart albums have no rows: they are there in
/// every library, also when they are empty (behaviour 68), under identifiers that never change. In
/// the order in which a list of them shows.
package enum SmartAlbum: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Everything that shows.
    case userLibrary = 209
    /// What was added in the last thirty days; see `SmartAlbum.firstRecentDay(at:)`.
    case recentlyAdded = 206
    case favorites = 203
    case videos = 202
    /// Pictures of the camera on the side of the screen.
    case selfPortraits = 210
    case livePhotos = 213
    case depthEffect = 212
    case panoramas = 201
    case timelapses = 204
    case slomoVideos = 208
    case cinematic = 218
    case bursts = 207
    case screenshots = 211
    case screenRecordings = 220
    case animated = 214
    /// Pictures exposed for a second or longer.
    case longExposures = 215
    /// Pictures of which there is a RAW original, alone or beside another.
    case raw = 217
    case spatial = 219
    /// What is hidden: the one smart album that shows such assets.
    case allHidden = 205
    /// Always empty: nothing here fails to upload.
    case unableToUpload = 216

    /// The row id that stands for it, where collections are named by row ids: a negative one, which
    /// no row has.
    package var rowID: Int64 { -Int64(rawValue) }

    package init?(rowID: Int64) {
        guard rowID < 0, rowID > -1_000 else { return nil }
        self.init(rawValue: Int(-rowID))
    }

    /// The same in every library.
    package var uuid: String { CollectionRecord.builtInPrefix + "000000000" + String(rawValue) }

    package init?(uuid: String) {
        guard uuid.hasPrefix(CollectionRecord.builtInPrefix),
            let number = Int(uuid.dropFirst(CollectionRecord.builtInPrefix.count)),
            let album = SmartAlbum(rawValue: number), album.uuid == uuid
        else { return nil }
        self = album
    }

    // MARK: - Recently added

    /// Days that `recentlyAdded` goes back.
    package static let recentDays: Int64 = 30

    /// The first day whose additions are in `recentlyAdded`, in days since 2001-01-01 UTC.
    ///
    /// Whole days: an answer holds until midnight UTC, not just until the next moment.
    ///
    /// `seconds` is the present time, since 2001-01-01 00:00 UTC.
    package static func firstRecentDay(at seconds: Double) -> Int64 {
        let days = (seconds / secondsInDay).rounded(.down)
        guard let whole = Int64(exactly: days) else { return 0 }
        return whole - recentDays
    }

    package static let secondsInDay: Double = 86_400
}
