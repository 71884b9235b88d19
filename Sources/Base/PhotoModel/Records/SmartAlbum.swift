/// An album whose members are determined by properties of assets.
///
/// Raw values are those of `PHAssetCollectionSubtype`. Smart albums have no rows. They exist in
/// every library, even when empty (behavior 68), with identifiers that never change. The cases are
/// in the display order.
package enum SmartAlbum: Int, Codable, Hashable, Sendable, CaseIterable {
    /// All visible assets.
    case userLibrary = 209
    /// The assets added in the last thirty days; see `SmartAlbum.firstRecentDay(at:)`.
    case recentlyAdded = 206
    case favorites = 203
    case videos = 202
    /// Photos from the front camera.
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
    /// Photos with an exposure of one second or longer.
    case longExposures = 215
    /// Photos with a RAW original, either alone or together with another original.
    case raw = 217
    case spatial = 219
    /// The hidden assets, which no other smart album contains.
    case allHidden = 205
    /// Always empty, since libraries do not upload assets.
    case unableToUpload = 216

    /// The row id that represents the album in lists of collections.
    ///
    /// It is negative, so it differs from the ids of all rows.
    package var rowID: Int64 { -Int64(rawValue) }

    package init?(rowID: Int64) {
        guard rowID < 0, rowID > -1_000 else { return nil }
        self.init(rawValue: Int(-rowID))
    }

    /// The UUID, the same in every library.
    package var uuid: String { CollectionRecord.builtInPrefix + "000000000" + String(rawValue) }

    package init?(uuid: String) {
        guard uuid.hasPrefix(CollectionRecord.builtInPrefix),
            let number = Int(uuid.dropFirst(CollectionRecord.builtInPrefix.count)),
            let album = SmartAlbum(rawValue: number), album.uuid == uuid
        else { return nil }
        self = album
    }

    // MARK: - Recently added

    /// The number of days that `recentlyAdded` covers.
    package static let recentDays: Int64 = 30

    /// Returns the first day whose additions are in `recentlyAdded`, in days since 2001-01-01 UTC.
    ///
    /// The range consists of whole days, so a result is valid until midnight UTC.
    ///
    /// `seconds` is the current time since 2001-01-01 00:00 UTC.
    package static func firstRecentDay(at seconds: Double) -> Int64 {
        let days = (seconds / secondsInDay).rounded(.down)
        guard let whole = Int64(exactly: days) else { return 0 }
        return whole - recentDays
    }

    package static let secondsInDay: Double = 86_400
}
