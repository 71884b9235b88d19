internal import PhotoModel

extension AVAssetExportSession {
    /// Returns the estimated length of the exported file in bytes.
    func loadedOutputFileLength() throws(AVError) -> Int64 {
        let facts = try asset.facts()
        let whole = CMTimeRange(start: .zero, duration: CMTime(facts.duration))
        let seconds = settings.timeRange.intersection(whole).duration.seconds
        let length = preset.estimatedLength(of: facts, seconds: seconds)
        let limit = settings.fileLengthLimit
        return limit > 0 ? min(limit, length) : length
    }
}
