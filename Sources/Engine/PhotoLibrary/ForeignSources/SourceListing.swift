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

    private let byPath: [String: Entry]
    /// The folders and files that could not be listed.
    package let problems: [Problem]
    /// The paths in the order of their bytes, for searches by prefix.
    private let sorted: [String]
    /// The paths by file name, sorted, for searches by name.
    private let byName: [(name: String, path: String)]
    private let names: [String]

    package init(_ entries: [Entry], problems: [Problem] = []) {
        self.problems = problems
        byPath = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
        sorted = byPath.keys.sorted { Self.precedes($0, $1) }
        byName = byPath.keys.map { (name: Self.name($0), path: $0) }
            .sorted { Self.precedes($0.name, $1.name) || $0.name == $1.name && $0.path < $1.path }
        names = byName.map(\.name)
    }

    package var count: Int { byPath.count }

    /// The entries in the order of their paths.
    package var entries: [Entry] { sorted.compactMap { byPath[$0] } }

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

    /// Returns the files that a location describes, in the order of their paths.
    package func entries(at location: ForeignResource.Location) -> [Entry] {
        switch location {
        case .path(let path): byPath[path].map { [$0] } ?? []
        case .prefix(let prefix):
            sorted[Self.start(of: prefix, in: sorted)...].prefix { $0.hasUTF8Prefix(prefix) }
                .compactMap { byPath[$0] }
        case .name(let name, let folder):
            byName[Self.start(of: name, in: names)...]
                .prefix { $0.name.hasUTF8Prefix(name) }
                .filter { $0.path.hasUTF8Prefix(folder) }
                .compactMap { byPath[$0.path] }
        }
    }

    private static func start(of prefix: String, in names: [String]) -> Int {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(names[middle], prefix) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    private static func name(_ path: String) -> String {
        String(decoding: path.utf8.split(separator: 0x2F).last ?? [], as: UTF8.self)
    }
}

extension String {
    /// Returns whether the bytes begin with those of a prefix; letters that look alike differ.
    fileprivate func hasUTF8Prefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}
