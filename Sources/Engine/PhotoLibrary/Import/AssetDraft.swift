package import Foundation
package import PhotoModel
package import WorkerProtocol

/// Derives an asset's record from the facts of one file.
///
/// Has no side effects. The record has no row id yet, and the importing transaction sets its added
/// date.
package struct AssetDraft: Sendable {
    package var capturePolicy: CaptureTimePolicy

    package init(capturePolicy: CaptureTimePolicy) {
        self.capturePolicy = capturePolicy
    }

    /// Returns the record of a photo, a movie or a sound as a separate asset.
    ///
    /// `filename` is the imported name, `fileTime` the file's modification time.
    package func record(of facts: MediaFacts, filename: String, fileTime: Date) -> AssetRecord {
        let mediaType = Self.mediaType(of: facts)
        var record = AssetRecord(
            id: 0,
            uuid: UUID().uuidString,
            mediaType: mediaType,
            originalFilename: filename,
            contentType: facts.contentType,
            addedDate: fileTime
        )
        record.mediaSubtypes = SubtypePolicy.subtypes(of: facts, filename: filename)
        record.playbackStyle =
            switch mediaType {
            case .image: facts.isAnimated ? .imageAnimated : .image
            case .video: .video
            case .audio, .unknown: .unsupported
            }
        record.pixelSize =
            facts.displaySize ?? facts.storedSize?.displayed(with: facts.orientation)
            ?? PixelSize(width: 0, height: 0)
        if mediaType != .image {
            record.duration = max(0, facts.movie.map(\.duration).flatMap(Self.finite) ?? 0)
            record.frameRate = facts.movie?.frameRate.flatMap(Self.finite)
        }
        let location = facts.location.flatMap(Self.plausible)
        record.captureTime = capturePolicy.captureTime(
            dates: facts.dates,
            gpsDateTime: facts.gpsDateTime,
            cameraPlace: mediaType == .image && facts.isLocationOfCamera ? location : nil,
            fileTime: fileTime
        )
        record.creationDate = record.captureTime?.instant
        record.location = location
        record.burstIdentifier = mediaType == .image ? facts.burstIdentifier?.nonEmpty : nil
        record.contentIdentifier = facts.contentIdentifier?.nonEmpty
        record.title = facts.title?.nonEmpty
        record.caption = facts.caption?.nonEmpty
        record.keywords = facts.keywords.uniqued()
        record.rating = min(max(facts.rating ?? 0, -1), 5)
        record.camera = facts.camera
        record.readerVersion = ReaderVersion.current
        return record
    }

    private static func mediaType(of facts: MediaFacts) -> MediaType {
        guard facts.format.isMovie else { return .image }
        return facts.movie?.videoCodec == nil && facts.movie?.audioCodec != nil ? .audio : .video
    }

    /// Returns a finite value; nil for NaN, which SQLite does not store, and for infinities.
    private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

    /// Returns a valid location, without its altitude if that is not finite; nil for an invalid
    /// one.
    private static func plausible(_ location: Location) -> Location? {
        guard (-90...90).contains(location.latitude), (-180...180).contains(location.longitude),
            !location.isNullIsland
        else {
            return nil
        }
        var location = location
        location.altitude = location.altitude.flatMap(finite)
        return location
    }
}

extension String {
    /// The string, or nil if it is empty.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension [String] {
    /// Returns the nonempty elements in order, without duplicates.
    fileprivate func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
