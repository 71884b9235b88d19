internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient

/// A single export, which validates the settings, has a worker write the file and gives the file
/// its final name.
struct ExportRun {
    private let asset: AVAsset
    private let preset: ExportPreset
    private let settings: AVAssetExportSession.Settings
    private let cancellation: WorkCancellation
    private let progress: @Sendable (Double) -> Void

    init(
        _ session: AVAssetExportSession,
        _ settings: AVAssetExportSession.Settings,
        progress: @escaping @Sendable (Double) -> Void
    ) {
        asset = session.asset
        preset = session.preset
        cancellation = session.cancellation
        self.settings = settings
        self.progress = progress
    }

    /// Writes the file.
    ///
    /// - Throws: ``AVError`` with the reason if no file is written; nothing is left behind then.
    func write() throws(AVError) {
        try throwIfCancelled()
        let url = try place()
        let facts = try asset.facts()
        let conversion = try conversion(of: facts)
        guard let source = asset.file else { throw noFile }
        let movie = try source.open()
        let file = try SiblingFile(for: url.path)
        defer { file.discard() }
        try throwIfCancelled()
        progress(0)
        do throws(WorkerError) {
            _ = try withExtendedLifetime((movie, file)) { () throws(WorkerError) in
                try ForeignWorkers.pool.convertMovie(
                    from: movie.number,
                    filename: source.name,
                    into: file.number,
                    conversion,
                    cancellation: cancellation,
                    progress: progress
                )
            }
        } catch {
            throw AVError(error, doing: "exported", source)
        }
        try throwIfCancelled()
        try file.place()
    }

    // MARK: - Validation

    private func place() throws(AVError) -> URL {
        guard let url = settings.outputURL else {
            throw AVError(
                .operationNotAllowed,
                "The export has no output file.",
                recovery: "Set outputURL, or call export(to:as:)."
            )
        }
        guard url.isFileURL else {
            throw AVError(
                .operationNotAllowed,
                "“\(url.absoluteString)” is not a file.",
                recovery: "Create the URL with URL(fileURLWithPath:)."
            )
        }
        return url
    }

    private func conversion(of facts: MovieFacts) throws(AVError) -> MovieConversion {
        let name = asset.file?.name ?? ""
        guard !facts.hasProtectedContent else {
            throw AVError(
                .contentIsProtected,
                "“\(name)” cannot be exported: it is encrypted.",
                recovery: "Use a copy that is not protected."
            )
        }
        let types = preset.fileTypes(for: facts)
        guard !types.isEmpty else {
            throw AVError(
                .operationNotSupportedForAsset,
                "\(preset.name) cannot export “\(name)”.",
                reason: "It has no track of the type that the preset writes.",
                recovery: "Use one of AVAssetExportSession.exportPresets(compatibleWith:)."
            )
        }
        guard let type = settings.outputFileType, types.contains(type),
            let container = Self.container(type)
        else {
            throw AVError(
                .operationNotSupportedForAsset,
                settings.outputFileType.map {
                    "\(preset.name) cannot export “\(name)” as a file of type \($0.rawValue)."
                } ?? "The export has no output file type.",
                recovery: "Set outputFileType to one of "
                    + types.map(\.rawValue).joined(separator: ", ") + "."
            )
        }
        var conversion = MovieConversion(container: container)
        switch preset.pictures {
        case .copy: break
        case .encode(let codec, let width, let height, let bitRate):
            conversion.video = .encode(
                codec: codec,
                maximumWidth: width,
                maximumHeight: height,
                bitRate: bitRate
            )
            conversion.audio = .encodeAAC(bitRate: preset.soundBitRate)
        case .none:
            conversion.video = .drop
            conversion.audio = .encodeAAC(bitRate: preset.soundBitRate)
        }
        (conversion.start, conversion.duration) = try range(in: facts)
        conversion.movesIndexToFront = settings.optimizesForNetwork
        if let items = settings.metadata {
            conversion.keepsMetadata = false
            conversion.metadata = try items.map { item throws(AVError) in
                try Self.written(item)
            }
        }
        if settings.fileLengthLimit > 0 { conversion.maximumBytes = settings.fileLengthLimit }
        return conversion
    }

    private func range(in facts: MovieFacts) throws(AVError) -> (MovieTime?, MovieTime?) {
        let wanted = settings.timeRange
        let whole = CMTimeRange(start: .zero, duration: CMTime(facts.duration))
        let isMeaningful =
            wanted.isValid && wanted.start.isNumeric
            && (wanted.duration.isNumeric || wanted.duration.isPositiveInfinity)
        guard isMeaningful, wanted.start < max(whole.end, CMTime(value: 1, timescale: 1_000_000)),
            wanted.duration > .zero, wanted.end > .zero
        else {
            throw AVError(
                .operationNotAllowed,
                "The range \(wanted) is outside the movie.",
                reason: "The movie is \(facts.duration.seconds) seconds long.",
                recovery: "Set timeRange to a part of the movie."
            )
        }
        let start = max(wanted.start, .zero)
        let isToTheEnd = wanted.duration.isPositiveInfinity || wanted.end >= whole.end
        return (
            start == .zero ? nil : MovieTime(start),
            isToTheEnd ? nil : MovieTime(wanted.end - start)
        )
    }

    /// Converts a metadata item to a `MovieMetadataItem`, which the process `photos-worker` writes
    /// to the movie.
    ///
    /// A common key becomes a QuickTime key. Any other key stays in its key space.
    private static func written(_ item: AVMetadataItem) throws(AVError) -> MovieMetadataItem {
        guard let space = item.entry.keySpace, let key = item.entry.key,
            let value = item.stringValue
        else {
            throw AVError(
                .operationNotAllowed,
                "A metadata item cannot be written: \(item).",
                reason: "It needs an identifier, and text, a number or a date as its value.",
                recovery: "Set both, or omit the item from the session's metadata."
            )
        }
        guard space == .common else {
            return MovieMetadataItem(keySpace: space.rawValue, key: key, value: value)
        }
        return MovieMetadataItem(
            keySpace: AVMetadataKeySpace.quickTimeMetadata.rawValue,
            key: MetadataNames.quickTimeKey(key) ?? "com.apple.quicktime." + key,
            value: value
        )
    }

    private static func container(_ type: AVFileType) -> MovieConversion.Container? {
        switch type {
        case .mov: .mov
        case .mp4: .mp4
        case .m4v: .m4v
        case .m4a: .m4a
        default: nil
        }
    }

    private func throwIfCancelled() throws(AVError) {
        guard cancellation.isCancelled else { return }
        throw AVError(.operationCancelled, "The export was canceled.")
    }

    private var noFile: AVError {
        AVError(
            .operationNotSupportedForAsset,
            "The asset has no file, so it cannot be exported.",
            recovery: "Create it with AVURLAsset(url:), or request it from PHImageManager."
        )
    }
}

extension MovieTime {
    /// Creates a time with the value and the timescale of a `CMTime`, for a request to the process
    /// `photos-worker`.
    fileprivate init(_ time: CMTime) {
        self.init(value: time.value, timescale: time.timescale)
    }
}
