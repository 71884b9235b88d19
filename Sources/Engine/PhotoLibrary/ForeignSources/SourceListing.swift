internal import PhotoModel
package import WorkerProtocol

/// The files below a source's folder, listed by their paths relative to the folder.
///
/// A file takes the bytes of its path and 28 more in memory.
package struct SourceListing: Sendable {
    /// A file in the listing.
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

    /// A compact representation of a file, because large libraries contain millions of files.
    private struct Row {
        /// The end of the file's path in `paths`; the path begins where the previous path ends.
        var end: Int
        var size: Int64
        var modificationTime: Int64
    }

    /// The concatenated bytes of all paths, in sorted order.
    private let paths: [UInt8]
    private let rows: [Row]
    /// The folders and files that could not be listed.
    package let problems: [Problem]
    /// The positions of the entries in the order of their file names.
    private let byName: [Int32]
    /// The positions of files with non-ASCII paths, by path, regardless of the Unicode form of
    /// characters such as é.
    private let equivalents: [String: Int32]

    /// Creates a listing; if several entries have the same path, only the first is kept.
    package init(_ entries: [Entry], problems: [Problem] = []) {
        var paths: [UInt8] = []
        var rows: [Row] = []
        rows.reserveCapacity(entries.count)
        var equivalents: [String: Int32] = [:]
        var last: String?
        for entry in entries.sorted(by: { Self.precedes($0.path.utf8, $1.path.utf8) })
        where last.map({ Self.precedes($0.utf8, entry.path.utf8) }) ?? true {
            last = entry.path
            if !entry.path.utf8.allSatisfy({ $0 < 0x80 }), equivalents[entry.path] == nil {
                equivalents[entry.path] = Int32(rows.count)
            }
            paths += entry.path.utf8
            rows.append(
                Row(
                    end: paths.count,
                    size: entry.size,
                    modificationTime: entry.modificationTime
                )
            )
        }
        byName = rows.indices.map(Int32.init).sorted {
            Self.precedes(
                Self.name(Self.path(at: Int($0), paths, rows)),
                Self.name(Self.path(at: Int($1), paths, rows))
            )
        }
        self.paths = paths
        self.rows = rows
        self.equivalents = equivalents
        self.problems = problems
    }

    package var count: Int { rows.count }

    /// The file at a zero-based position in the byte order of paths.
    package subscript(position: Int) -> Entry {
        let row = rows[position]
        return Entry(
            path: String(decoding: path(at: position), as: UTF8.self),
            size: row.size,
            modificationTime: row.modificationTime
        )
    }

    /// Returns the listing problem of the folder that would contain a path; nil if the folder has
    /// none.
    package func problem(at path: String) -> Problem? {
        problems.first { $0.path.isEmpty || path == $0.path || path.hasPrefix($0.path + "/") }
    }

    /// Returns the listing problem of a folder that may contain a file at a location; nil if there
    /// is none.
    func problem(at location: ForeignResource.Location) -> Problem? {
        switch location {
        case .path(let path), .prefix(let path): problem(at: path)
        case .name(_, let folder):
            problem(at: folder) ?? problems.first { $0.path.hasPrefix(folder) }
        }
    }

    /// Returns the files at a location, sorted by path, or by file name if the location states a
    /// name.
    ///
    /// Makes O(log n) comparisons.
    package func entries(at location: ForeignResource.Location) -> [Entry] {
        positions(at: location).map { self[$0] }
    }

    /// Returns the positions of the files at a location.
    package func positions(at location: ForeignResource.Location) -> [Int] {
        switch location {
        case .path(let path): position(of: path).map { [$0] } ?? []
        case .prefix(let prefix):
            Array((start(of: prefix)..<count).prefix { path(at: $0).starts(with: prefix.utf8) })
        case .name(let name, let folder):
            byName[byName.indexPast { Self.precedes(fileName(at: $0), name.utf8) }...]
                .prefix { fileName(at: $0).starts(with: name.utf8) }
                .map(Int.init)
                .filter { path(at: $0).starts(with: folder.utf8) }
        }
    }

    /// Returns the position of the file at a path, compared regardless of Unicode form; nil if
    /// there is no such file.
    package func position(of path: String) -> Int? {
        let found = start(of: path)
        if found < count, self.path(at: found).elementsEqual(path.utf8) { return found }
        return equivalents[path].map(Int.init)
    }

    /// Returns the position of the first file whose path does not precede the given path.
    private func start(of path: String) -> Int {
        rows.indices.indexPast { Self.precedes(self.path(at: $0), path.utf8) }
    }

    private func path(at position: Int) -> ArraySlice<UInt8> {
        Self.path(at: position, paths, rows)
    }

    private func fileName(at position: Int32) -> ArraySlice<UInt8> {
        Self.name(path(at: Int(position)))
    }

    private static func path(at position: Int, _ paths: [UInt8], _ rows: [Row])
        -> ArraySlice<UInt8>
    {
        paths[(position == 0 ? 0 : rows[position - 1].end)..<rows[position].end]
    }

    private static func precedes(
        _ first: some Sequence<UInt8>,
        _ second: some Sequence<UInt8>
    ) -> Bool {
        first.lexicographicallyPrecedes(second)
    }

    /// Returns the bytes after the last slash of a path.
    private static func name(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        path[(path.lastIndex(of: 0x2F).map { $0 + 1 } ?? path.startIndex)...]
    }
}
