internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// The properties of a visible photo that the search for duplicates uses.
package struct DuplicateCandidate: Sendable {
    package var id: Int64
    package var uuid: String
    package var contentVersion: Int
    private var pixelCount: Int
    private var hasAdjustments: Bool
    private var isFavorite: Bool
    private var albumCount: Int
    private var creationDate: Double
    private var burst: String?
    /// The capture wall time; nil if no camera wrote it.
    private var captureTime: String?

    /// Returns all candidates that the client may see, in the order of their row ids.
    ///
    /// Costs a scan of the photos.
    package static func all(_ view: LibraryView) throws -> [DuplicateCandidate] {
        try view.read { reading in
            guard !reading.access.isNone else { return [] }
            let sources = [
                CaptureTime.Source.exifOriginal, .exifDigitized, .offsetTag, .gpsTime,
                .quickTimeKey, .xmp, .iptc,
            ].map { "'\($0.rawValue)'" }.joined(separator: ", ")
            let rows = try Row.fetchCursor(
                reading.database,
                sql: """
                    SELECT id, uuid, contentVersion, pixelWidth * pixelHeight, hasAdjustments,
                        isFavorite,
                        (SELECT count(*) FROM albumAsset WHERE assetId = asset.id),
                        coalesce(creationDate, addedDate), burstIdentifier,
                        CASE WHEN captureWallTimeSource IN (\(sources)) THEN captureWallTime END
                    FROM asset WHERE isVisible = 1 AND mediaType = \(MediaType.image.rawValue)
                    ORDER BY id
                    """
            )
            var candidates: [DuplicateCandidate] = []
            while let row = try rows.next() {
                let candidate = DuplicateCandidate(row)
                // Hidden assets are not among the rows.
                if reading.access.permits(asset: candidate.uuid, isHidden: false) {
                    candidates.append(candidate)
                }
            }
            return candidates
        }
    }

    private init(_ row: Row) {
        id = row[0]
        uuid = row[1]
        contentVersion = row[2]
        pixelCount = row[3]
        hasAdjustments = row[4]
        isFavorite = row[5]
        albumCount = row[6]
        creationDate = row[7]
        burst = row[8]
        captureTime = row[9]
    }

    /// Returns whether two photos can be duplicates.
    ///
    /// Frames of one burst are not duplicates, and neither are photos with different capture times
    /// from cameras, however similar they look.
    package func canBeSame(as other: DuplicateCandidate) -> Bool {
        if let burst, !burst.isEmpty, burst == other.burst { return false }
        guard let time = captureTime, let otherTime = other.captureTime else { return true }
        let seconds = (time.prefix(19), otherTime.prefix(19))
        let fractions = (time.dropFirst(19), otherTime.dropFirst(19))
        guard seconds.0 == seconds.1 else { return false }
        return fractions.0.isEmpty || fractions.1.isEmpty || fractions.0 == fractions.1
    }

    /// Returns whether this photo is better to keep than a duplicate of it.
    ///
    /// The first difference decides: more pixels, edits, favorite status, more albums, or an
    /// earlier date.
    package func isBetter(than other: DuplicateCandidate) -> Bool {
        if pixelCount != other.pixelCount { return pixelCount > other.pixelCount }
        if hasAdjustments != other.hasAdjustments { return hasAdjustments }
        if isFavorite != other.isFavorite { return isFavorite }
        if albumCount != other.albumCount { return albumCount > other.albumCount }
        return (creationDate, id) < (other.creationDate, other.id)
    }
}
