package import PhotoModel
package import WorkerProtocol

/// Determines which files of a batch belong to the same asset.
///
/// Has no side effects. The order of the batch matters only among equals, of which the first
/// counts.
///
/// 1. A RAW and a still form one asset if they are in the same folder with the same name, their
///    cameras wrote the same wall time (to the second), and make and model are equal where both
///    files state them. The still is the photo, the RAW its alternate.
/// 2. A movie and a still (or a RAW alone) with the same content identifier form a Live Photo.
///    Names only choose among several such movies; they never join halves with different
///    identifiers.
/// 3. A file is part of at most one asset. An asset has at most one RAW and one movie.
package enum PairingPolicy {
    /// The parts of one asset, as positions in the batch.
    package struct Unit: Hashable {
        /// The still if there is one, else the RAW, else the movie.
        package var primary: Int
        package var raw: Int?
        package var movie: Int?

        package init(primary: Int, raw: Int? = nil, movie: Int? = nil) {
            self.primary = primary
            self.raw = raw
            self.movie = movie
        }
    }

    /// The properties of a file that pairing uses.
    package struct Candidate {
        var format: MediaFormat
        var stemKey: [UInt8]
        var record: AssetRecord

        package init(format: MediaFormat, stemKey: [UInt8], record: AssetRecord) {
            self.format = format
            self.stemKey = stemKey
            self.record = record
        }
    }

    /// Returns the units of a batch, in the order of their primary parts.
    package static func units(of candidates: [Candidate]) -> [Unit] {
        var taken: Set<Int> = []
        var units: [Unit] = []
        let stills = candidates.indices.filter { isStill(candidates[$0]) }
        let raws = candidates.indices.filter { candidates[$0].format == .raw }
        for still in stills {
            let raw = raws.first {
                !taken.contains($0) && candidates[$0].stemKey == candidates[still].stemKey
                    && areOneShot(candidates[still].record, candidates[$0].record)
            }
            if let raw { taken.insert(raw) }
            units.append(Unit(primary: still, raw: raw))
        }
        for raw in raws where !taken.contains(raw) { units.append(Unit(primary: raw)) }
        units.sort { $0.primary < $1.primary }
        let movies = candidates.indices.filter { candidates[$0].record.mediaType == .video }
        for position in units.indices {
            let matching = movies.filter {
                !taken.contains($0) && share(candidates[units[position].primary], candidates[$0])
            }
            let stem = candidates[units[position].primary].stemKey
            guard
                let movie = matching.first(where: { candidates[$0].stemKey == stem })
                    ?? matching.first
            else { continue }
            units[position].movie = movie
            taken.insert(movie)
        }
        for other in candidates.indices
        where candidates[other].record.mediaType != .image && !taken.contains(other) {
            units.append(Unit(primary: other))
        }
        return units.sorted { $0.primary < $1.primary }
    }

    /// Returns whether two files with equal names are one shot in two formats.
    package static func areOneShot(_ first: AssetRecord, _ second: AssetRecord) -> Bool {
        guard let firstTime = cameraTime(first), let secondTime = cameraTime(second),
            firstTime == secondTime
        else { return false }
        return agree(first.camera.make, second.camera.make)
            && agree(first.camera.model, second.camera.model)
    }

    private static func isStill(_ candidate: Candidate) -> Bool {
        candidate.record.mediaType == .image && candidate.format != .raw
    }

    private static func share(_ still: Candidate, _ movie: Candidate) -> Bool {
        still.record.contentIdentifier != nil
            && still.record.contentIdentifier == movie.record.contentIdentifier
    }

    /// Returns the capture wall time with a precision of seconds; nil if no camera wrote it.
    private static func cameraTime(_ record: AssetRecord) -> Substring? {
        guard let time = record.captureTime, time.wallTimeSource != .fileTime else { return nil }
        return time.wallTime.prefix(19)
    }

    private static func agree(_ first: String?, _ second: String?) -> Bool {
        guard let first, let second else { return true }
        return first.lowercased() == second.lowercased()
    }
}
