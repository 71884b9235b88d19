internal import Glibc
internal import ImportSources

/// Detects paths inside a photo library, whose files must not be imported.
///
/// The walk does not enter libraries, but a root may be a folder or file inside one. Importing such
/// files is useless, and moving them would destroy that library.
struct LibrarySurroundings {
    private let removesSources: Bool
    /// The most recently checked folder and its result, cached for other roots in the same folder.
    private var last: (folder: [UInt8], reason: String?)?

    init(removesSources: Bool) {
        self.removesSources = removesSources
    }

    /// Returns the reason why a file or folder must not be imported; nil when it may be imported.
    mutating func reason(against path: SourcePath) -> String? {
        let folder = Array(path.bytes.dropLast(path.lastComponent.bytes.count))
        if let last, last.folder == folder { return last.reason }
        let reason = Self.ancestors(of: folder).lazy.compactMap(reason(inside:)).first
        last = (folder, reason)
        return reason
    }

    private func reason(inside ancestor: [UInt8]) -> String? {
        if Self.exists(ancestor + Array("/database/library.sqlite".utf8)) {
            return "It is in a photo library."
        }
        if removesSources, Self.exists(ancestor + Array("/database/Photos.sqlite".utf8)) {
            return "It is in an Apple Photos library, from which files can only be copied."
        }
        return nil
    }

    /// Returns the real paths of a folder and all its parents.
    private static func ancestors(of folder: [UInt8]) -> [[UInt8]] {
        guard let resolved = folder.withCString({ realpath($0, nil) }) else { return [] }
        defer { free(resolved) }
        let count = strlen(resolved)
        var path = UnsafeBufferPointer(start: resolved, count: count)
            .map { UInt8(bitPattern: $0) }
        var ancestors: [[UInt8]] = []
        while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
            ancestors.append(path)
            path.removeSubrange(slash...)
        }
        return ancestors
    }

    private static func exists(_ path: [UInt8]) -> Bool {
        path.withCString { access($0, F_OK) } == 0
    }
}
