internal import PhotoModel
package import WorkerProtocol

/// The files below a source's folder, by their paths relative to it.
package struct SourceListing: Sendable {
    /// A file that is there.
    package struct Entry: Hashable, Sendable {
        package var path: String
        package var size: Int64
        /// The modification time in nanoseconds since 1970.
        package var modificationTime: Int64

        package init(path: String, size: Int64, modificationTime: Int64) {
            self.path = path
            self.size = size
            self.modificationTime = modificationTime
        }
    }

    /// A folder or file that could not be listed.
    package struct Problem: Hashable, Sendable {
        /// The path below the source's folder; empty for that folder itself.
        package var path: String
        /// The reason as a part of a sentence.
        package var reason: String
    }

    /// The entries in the order of their paths' bytes.
    package let entries: [Entry]
    /// The folders and files that could not be listed.
    package let problems: [Problem]
    /// The positions of the entries in the order of their file names.
    private let byName: [Int32]
    /// The positions of paths that may be written in several ways, such as é in one or two letters.
    private let equivalents: [String: Int32]

    /// Creates a listing; of several entries with one path, the first counts.
    package init(_ entries: [Entry], problems: [Problem] = []) {
        var unique: [Entry] = []
        unique.reserveCapacity(entries.count)
        for entry in entries.sorted(by: { Self.precedes($0.path, $1.path) })
        where unique.last.map({ Self.precedes($0.path, entry.path) }) ?? true {
            unique.append(entry)
        }
        let names = unique.map { String(Self.name($0.path)) ?? "" }
        byName = unique.indices.sorted { Self.precedes(names[$0], names[$1]) }.map(Int32.init)
        let written = unique.indices.filter { !unique[$0].path.utf8.allSatisfy { $0 < 0x80 } }
        equivalents = Dictionary(written.map { (unique[$0].path, Int32($0)) }) { first, _ in first }
        self.entries = unique
        self.problems = problems
    }

    package var count: Int { entries.count }

    /// Returns the folder that could not be listed and in which a path would be; nil if there is
    /// none.
    package func problem(at path: String) -> Problem? {
        problems.first { $0.path.isEmpty || path == $0.path || path.hasPrefix($0.path + "/") }
    }

    /// Returns the folder that could not be listed and in which a file may be; nil for none.
    func problem(at location: ForeignResource.Location) -> Problem? {
        switch location {
        case .path(let path), .prefix(let path): problem(at: path)
        case .name(_, let folder):
            problem(at: folder) ?? problems.first { $0.path.hasPrefix(folder) }
        }
    }

    /// Returns the files that a location describes, in the order of their paths or, where it has a
    /// name, of their names.
    ///
    /// Makes O(log n) comparisons.
    package func entries(at location: ForeignResource.Location) -> [Entry] {
        switch location {
        case .path(let path): entry(at: path).map { [$0] } ?? []
        case .prefix(let prefix):
            Array(entries[start(of: prefix)...].prefix { $0.path.hasUTF8Prefix(prefix) })
        case .name(let name, let folder):
            byName[
                byName.indexPast { Self.name(path(at: $0)).lexicographicallyPrecedes(name.utf8) }...
            ]
            .prefix { Self.name(path(at: $0)).starts(with: name.utf8) }
            .map { entries[Int($0)] }
            .filter { $0.path.hasUTF8Prefix(folder) }
        }
    }

    /// Returns the entry with the bytes of a path, or with another form of its letters.
    private func entry(at path: String) -> Entry? {
        let found = start(of: path)
        if found < entries.count, !Self.precedes(path, entries[found].path) {
            return entries[found]
        }
        return equivalents[path].map { entries[Int($0)] }
    }

    /// Returns the position of the first entry whose path does not precede another one.
    private func start(of path: String) -> Int {
        entries.indexPast { Self.precedes($0.path, path) }
    }

    private func path(at position: Int32) -> String { entries[Int(position)].path }

    private static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    /// Returns the bytes behind the last slash of a path.
    private static func name(_ path: String) -> Substring.UTF8View {
        let bytes = path.utf8
        return bytes[(bytes.lastIndex(of: 0x2F).map(bytes.index(after:)) ?? bytes.startIndex)...]
    }
}

extension String {
    /// Returns whether the bytes begin with those of a prefix; letters that look alike differ.
    fileprivate func hasUTF8Prefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}
