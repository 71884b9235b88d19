package import LibraryService
internal import WorkerProtocol

/// The Google Takeout exports that are among the sources of an import.
///
/// A source is a folder or an archive. The parts of an export complete each other; exports of
/// different accounts never share a description.
///
/// 1. Archives are parts of one export if their names have the same beginning, as Google gives it
///    (`takeout-20240131T101112Z`). The same holds for folders that have the name of an archive.
/// 2. A folder with another name is a part of the export with which it shares no name, or only
///    equal files: no two parts of an export have a file of the same name.
package struct TakeoutExports: Sendable {
    /// A Google Takeout export, which may consist of several folders and archives.
    package struct Export: Hashable, Sendable {
        /// The shared name prefix of the export's archives; nil for a folder that is not named like
        /// an archive.
        package var name: String?
        /// The indices of the export's folders and archives among the sources.
        package var sources: [Int]
    }

    package private(set) var exports: [Export] = []
    /// The index of each source's export in `exports`, in the order of the sources.
    package private(set) var ofSource: [Int]

    /// Groups the sources into exports.
    ///
    /// - Parameters:
    ///   - sources: The folders and archives.
    ///   - files: Their files.
    ///   - digest: Returns the SHA-256 of a file; nil if it is not available.
    package init(
        sources: [TakeoutSource],
        files: [TakeoutFile],
        digest: (TakeoutFile) -> String? = { _ in nil }
    ) {
        ofSource = [Int](repeating: 0, count: sources.count)
        var contents = [TakeoutContent](repeating: TakeoutContent(), count: sources.count)
        // Otherwise there is nothing to compare.
        if sources.count > 1 {
            let years = TakeoutYears(files) { files[$0].source }
            for (index, file) in files.enumerated() {
                contents[file.source].add(file, index, years, in: file.source)
            }
        }
        let names = sources.map(Self.name)
        for name in Set(names.compactMap(\.self)).sorted() {
            exports.append(Export(name: name, sources: names.indices.filter { names[$0] == name }))
        }
        for index in sources.indices where names[index] == nil {
            let found = exports.indices.filter { position in
                var whole = TakeoutContent()
                for source in exports[position].sources { whole.add(contents[source]) }
                return Self.areParts(contents[index], whole, files, digest)
            }
            let place = Self.choose(found, for: index, exports, sources)
            if let place {
                exports[place].sources.append(index)
            } else {
                exports.append(Export(name: nil, sources: [index]))
            }
        }
        for (index, export) in exports.enumerated() {
            for source in export.sources { ofSource[source] = index }
        }
    }

    /// Returns the candidate export to which a folder belongs; nil if the choice is unclear.
    ///
    /// Of several candidates, the only one with an archive or folder beside this folder is chosen.
    private static func choose(
        _ found: [Int],
        for source: Int,
        _ exports: [Export],
        _ sources: [TakeoutSource]
    ) -> Int? {
        if found.count < 2 { return found.first }
        let folder = parent(of: sources[source])
        let near = found.filter { index in
            exports[index].sources.contains { parent(of: sources[$0]) == folder }
        }
        return near.count == 1 ? near.first : nil
    }

    private static func areParts(
        _ one: TakeoutContent,
        _ other: TakeoutContent,
        _ files: [TakeoutFile],
        _ digest: (TakeoutFile) -> String?
    ) -> Bool {
        let overlap = one.overlap(with: other, files, digest)
        if overlap.isDisjoint { return !overlap.sharesAlbum }
        return overlap.different == 0 && overlap.isOfOneAccount
    }

    // MARK: - Names

    private static func parts(of source: TakeoutSource) -> [String] {
        source.path.split(separator: 0x2F).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func parent(of source: TakeoutSource) -> [String] {
        Array(parts(of: source).dropLast())
    }

    /// Returns the name prefix that the archives of a source's export share; nil for a folder that
    /// is not named like an archive.
    ///
    /// The result is the whole name of an archive that has no such prefix.
    static func name(of source: TakeoutSource) -> String? {
        guard let name = partName(of: source) else { return nil }
        return TakeoutParts.export(of: name) ?? name
    }

    /// Returns the file name of a source's archive, or of the archive after which a folder was
    /// named; nil for any other folder.
    static func partName(of source: TakeoutSource) -> String? {
        var parts = parts(of: source)
        if source.isArchive { return parts.last }
        // The folder of an archive contains the folder `Takeout`.
        while let last = parts.last, TakeoutFile.isTakeout(last),
            TakeoutParts.export(of: last) == nil
        {
            parts.removeLast()
        }
        return parts.last.flatMap { TakeoutParts.export(of: $0) == nil ? nil : $0 + ".zip" }
    }
}

/// The names of the files, folders and albums in one or more sources of an export.
struct TakeoutContent: Sendable {
    /// The index of each file, by its path without a leading `Takeout` folder and with the English
    /// names of years.
    private(set) var names: [String: Int] = [:]
    /// The number of files in each folder.
    private(set) var folders: [String: Int] = [:]
    /// The paths of the folders that contain the description of an album.
    private(set) var albums: Set<String> = []

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - index: Its index.
    ///   - years: The folders of years.
    ///   - group: The index of the file's export or source in `years`.
    mutating func add(_ file: TakeoutFile, _ index: Int, _ years: TakeoutYears, in group: Int) {
        let folder = TakeoutPlan.folder(of: file)
        if case .facts(let facts)? = file.reading, facts.kind == .album, facts.title != nil,
            !years.isYear(folder, in: group)
        {
            albums.insert(folder)
        }
        guard file.isEvidence else { return }
        if names.updateValue(index, forKey: years.path(of: file, in: group)) == nil {
            folders[years.folder(folder, in: group), default: 0] += 1
        }
    }

    mutating func add(album folder: String) { albums.insert(folder) }

    mutating func add(_ other: TakeoutContent) {
        names.merge(other.names) { first, _ in first }
        folders.merge(other.folders, uniquingKeysWith: +)
        albums.formUnion(other.albums)
    }

    /// Compares the files that have the same name in this content and another.
    func overlap(
        with other: TakeoutContent,
        _ files: [TakeoutFile],
        _ digest: (TakeoutFile) -> String?
    ) -> TakeoutOverlap {
        var overlap = TakeoutOverlap()
        for (name, index) in names {
            guard let found = other.names[name] else { continue }
            let isSame =
                files[index].isSame(as: files[found])
                ?? Self.areEqual(digest(files[index]), digest(files[found]))
            if isSame { overlap.equal += 1 } else { overlap.different += 1 }
        }
        let shared = Set(folders.keys).intersection(other.folders.keys)
        func count(_ content: TakeoutContent) -> Int {
            shared.reduce(0) { $0 + (content.folders[$1] ?? 0) }
        }
        overlap.size = min(count(self), count(other))
        overlap.sharesAlbum = !albums.isDisjoint(with: other.albums)
        return overlap
    }

    /// Indicates whether two digests may be equal; true if either of them is unknown.
    static func areEqual(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return true }
        return one == other
    }
}
