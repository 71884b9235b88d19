public import PhotosManagement

/// Detects the descriptions of a Google Takeout export among the files that were not imported.
///
/// They remain when an export is deep in an imported folder, where exports are not looked for.
public struct TakeoutHint: Sendable {
    /// The number of descriptions without which nothing is said.
    private static let threshold = 3
    private static let media: Set<Substring> = [
        "jpg", "jpeg", "heic", "heif", "png", "gif", "webp", "tif", "tiff", "dng", "cr2", "cr3",
        "nef", "arw", "mp4", "mov", "m4v", "3gp", "avi",
    ]

    private var count = 0
    /// The components of the folder that contains all descriptions.
    private var folder: [Substring]?

    /// Creates advice about an import that has not begun.
    public init() {}

    /// Considers the outcome of a file.
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

    /// Returns whether a name is that of a media file with `.json`, and a part of
    /// `.supplemental-metadata` or a number before it.
    private static func describesFile(_ name: Substring) -> Bool {
        let parts = name.lowercased().split(separator: ".")
        guard parts.count > 2, parts.last == "json" else { return false }
        return parts.dropFirst().dropLast().suffix(2).contains { part in
            media.contains(part.prefix { $0 != "(" })
        }
    }

    /// Returns the advice; nil if there is none.
    ///
    /// `paths` are those that were imported: what was no export once is none again.
    public func text(_ paths: [SourcePath]) -> String? {
        guard count >= Self.threshold, var folder, !folder.isEmpty else { return nil }
        // Files are recognized again by their paths from the export's own folder on.
        if let root = folder.firstIndex(where: { $0.lowercased().hasPrefix("takeout") }) {
            folder = Array(folder[...root])
        }
        let path = "/" + folder.joined(separator: "/")
        guard !paths.contains(where: { $0.absolute().description == path }) else { return nil }
        return "\(count) JSON files look like the descriptions of a Google Takeout export. For its"
            + " dates, places and albums, import it by its own path: photos import '\(path)'"
    }
}
