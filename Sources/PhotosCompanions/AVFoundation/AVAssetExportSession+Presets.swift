internal import PhotoModel

extension AVAssetExportSession {
    /// The names of all presets.
    public class func allExportPresets() -> [String] { ExportPreset.all.map(\.name) }

    /// The names of the presets that can make something of a movie; none where it can't be read.
    ///
    /// Waits for the file.
    public class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        guard let facts = try? asset.facts() else { return [] }
        return ExportPreset.all.filter { $0.fits(facts) }.map(\.name)
    }

    /// Whether a preset can make a kind of file of a movie; of any kind where none is given.
    public class func compatibility(
        ofExportPreset presetName: String,
        with asset: AVAsset,
        outputFileType: AVFileType?
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            determineCompatibility(
                ofExportPreset: presetName,
                with: asset,
                outputFileType: outputFileType
            ) { continuation.resume(returning: $0) }
        }
    }

    /// Whether a preset can make a kind of file of a movie, in a callback on no particular queue.
    public class func determineCompatibility(
        ofExportPreset presetName: String,
        with asset: AVAsset,
        outputFileType: AVFileType?,
        completionHandler handler: @escaping (Bool) -> Void
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async {
            guard let preset = ExportPreset.named(presetName), let facts = try? asset.facts() else {
                return handler.value(false)
            }
            let types = preset.fileTypes(for: facts)
            handler.value(outputFileType.map { types.contains($0) } ?? !types.isEmpty)
        }
    }

    /// The kinds of files that this session can write; none where the movie can't be read.
    ///
    /// Waits for the file.
    public var supportedFileTypes: [AVFileType] {
        (try? asset.facts()).map { preset.fileTypes(for: $0) } ?? []
    }

    /// The kinds of files that this session can write, in a callback on no particular queue.
    public func determineCompatibleFileTypes(
        completionHandler handler: @escaping ([AVFileType]) -> Void
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async { [self] in handler.value(supportedFileTypes) }
    }

    /// The kinds of files that this session can write.
    public var compatibleFileTypes: [AVFileType] {
        get async {
            await withCheckedContinuation { continuation in
                determineCompatibleFileTypes { continuation.resume(returning: $0) }
            }
        }
    }

    // MARK: - Estimates

    /// Bytes that the result is likely to have; 0 where the movie can't be read.
    ///
    /// Waits for the file.
    public var estimatedOutputFileLength: Int64 { (try? loadedOutputFileLength()) ?? 0 }

    /// Bytes that the result is likely to have, in a callback on no particular queue.
    public func estimateOutputFileLength(
        completionHandler handler: @escaping (Int64, (any Error)?) -> Void
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async { [self] in
            do {
                handler.value(try loadedOutputFileLength(), nil)
            } catch {
                handler.value(0, error)
            }
        }
    }

    /// How much of the movie ``fileLengthLimit`` is likely to leave room for; all of it without one.
    ///
    /// Invalid where the movie can't be read. Waits for the file.
    public var maxDuration: CMTime {
        guard let facts = try? asset.facts() else { return .invalid }
        let whole = CMTime(facts.duration)
        let limit = settings.fileLengthLimit
        let length = preset.estimatedLength(of: facts, seconds: whole.seconds)
        guard limit > 0, length > limit else { return whole }
        return CMTimeMultiplyByFloat64(whole, multiplier: Double(limit) / Double(length))
    }

    private func loadedOutputFileLength() throws(AVError) -> Int64 {
        let facts = try asset.facts()
        let whole = CMTimeRange(start: .zero, duration: CMTime(facts.duration))
        let seconds = settings.timeRange.intersection(whole).duration.seconds
        let length = preset.estimatedLength(of: facts, seconds: seconds)
        let limit = settings.fileLengthLimit
        return limit > 0 ? min(limit, length) : length
    }
}
