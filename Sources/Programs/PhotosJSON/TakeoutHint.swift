public import PhotosManagement

/// Detects Google Takeout's JSON files among the files that an import skipped, and advises the user
/// to import the export itself.
///
/// Such files are skipped when the export is deep in an imported folder: the import does not search
/// there for exports.
public struct TakeoutHint: Sendable {
    /// The minimum number of skipped JSON files that is required for advice.
    private static let threshold = 3
    private static let media: Set<Substring> = [
        "jpg", "jpeg", "heic", "heif", "png", "gif", "webp", "tif", "tiff", "dng", "cr2", "cr3",
        "nef", "arw", "mp4", "mov", "m4v", "3gp", "avi",
    ]

    private var count = 0
    /// The path components of the innermost folder that contains all the JSON files found so far.
    private var folder: [Substring]?

    /// Creates a detector for the outcomes of one import.
    public init() {}

    /// Records the outcome of a file.
    public mutating func add(_ outcome: FileOutcome) {
        guard outcome.kind == .unsupported, outcome.source == nil else { return }
        let parts = outcome.path.description.split(separator: "/")
        guard let name = parts.last, Self.describesFile(name) else { return }
        count += 1
        let parent = parts.dropLast()
        guard let known = folder else {
            folder = Array(parent)
            return
        }
        folder = zip(known, parent).prefix { $0 == $1 }.map(\.0)
    }

    /// Returns whether a file name is a media file's name followed by `.json`.
    ///
    /// Google may insert a number or a part of `.supplemental-metadata` before `.json`.
    private static func describesFile(_ name: Substring) -> Bool {
        let parts = name.lowercased().split(separator: ".")
        guard parts.count > 2, parts.last == "json" else { return false }
        return parts.dropFirst().dropLast().suffix(2).contains { part in
            media.contains(part.prefix { $0 != "(" })
        }
    }

    /// Returns the advice for the user; nil if too few JSON files were skipped.
    ///
    /// `paths` are the imported paths. If the folder that the advice would recommend is among them,
    /// there is no advice, because importing that folder again would have the same result.
    public func text(_ paths: [SourcePath]) -> String? {
        guard count >= Self.threshold, let folder, !folder.isEmpty else { return nil }
        let imported = paths.map { $0.absolute().description }
        // Files are recognized again by their paths from the export's own folder on.
        let exports = folder.indices.filter { folder[$0].lowercased().hasPrefix("takeout") }
            .map { "/" + folder[...$0].joined(separator: "/") }
        guard !exports.contains(where: imported.contains) else { return nil }
        // A folder above an imported one only has such a name.
        let export = exports.first { export in
            !imported.contains { $0.hasPrefix(export + "/") }
        }
        let path = export ?? "/" + folder.joined(separator: "/")
        guard !imported.contains(path) else { return nil }
        return "\(count) JSON files look like the descriptions of a Google Takeout export. For its"
            + " dates, places and albums, import it by its own path: photos import '\(path)'"
    }
}
