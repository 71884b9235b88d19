package import PhotoModel
package import WorkerProtocol

/// Decides which files of a batch are parts of one asset.
///
/// Pure; order in the batch does not matter except among equals, where the first counts.
///
/// 1. A RAW beside a still is one asset with it when they lie in one folder under one name, their
///    cameras wrote the same wall time (to the second), and say the same make and model where both
///    say them. The still is the photo, the RAW the alternate.
/// 2. A movie and a still (or a RAW alone) with the same content identifier are a Live Photo. Names
///    only choose among several such movies; they never join halves whose identifiers differ.
/// 3. A file is a part of one asset at most; an asset has one RAW and one movie at most.
package enum PairingPolicy {
    /// The parts of one asset, as positions in the batch.
    package struct Unit: Hashable {
        /// The still, else the RAW, else the movie.
        package var primary: Int
        package var raw: Int?
        package var movie: Int?

        package init(primary: Int, raw: Int? = nil, movie: Int? = nil) {
            self.primary = primary
            self.raw = raw
            self.movie = movie
        }
    }

    /// What pairing looks at in one file.
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

    /// The units of a batch, in the order of their first parts.
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

    /// Whether two files are one shot in two formats, given that their names are equal.
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

    /// The wall time to the second, where a camera wrote it.
    private static func cameraTime(_ record: AssetRecord) -> Substring? {
        guard let time = record.captureTime, time.wallTimeSource != .fileTime else { return nil }
        return time.wallTime.prefix(19)
    }

    private static func agree(_ first: String?, _ second: String?) -> Bool {
        guard let first, let second else { return true }
        return first.lowercased() == second.lowercased()
    }
}
