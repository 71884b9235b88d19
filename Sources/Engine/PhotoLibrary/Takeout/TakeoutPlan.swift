package import LibraryService
package import WorkerProtocol

/// The plan of a Takeout import: the decisions that depend only on file names and JSON files.
///
/// It decides which descriptions, edited copies and movies belong to which file, and which albums
/// exist. Has no side effects.
package struct TakeoutPlan: Sendable {
    /// A file of an export other than a JSON file, such as a photo or movie.
    package struct Item: Hashable, Sendable {
        /// The index of the file in `files`.
        package var file: Int
        /// The index of the JSON file with the description; nil if there is none.
        package var json: Int?
        /// The index of the original if the file is an edited copy; otherwise nil.
        package var original: Int?
        /// Indicates whether the original was guessed, so that the files must show the same shot.
        package var isOriginalGuessed = false
        /// The index of the still if the file may be the movie of a Live Photo; otherwise nil.
        package var picture: Int?
        package var notes: [MigrationNote] = []
    }

    /// A folder of an export.
    package struct Folder: Hashable, Sendable {
        /// The index of the export that contains the folder.
        package var export: Int
        /// The folder's path, which is the same in all sources of the export.
        package var path: String
    }

    /// Files that are imported in the same transaction: an original, followed by its edited copies
    /// and movie.
    package struct Unit: Hashable, Sendable {
        package var items: [Item]
    }

    /// An album in an export.
    package struct Album: Hashable, Sendable {
        /// The folder that contains the album's photos.
        package var folder: Folder
        package var title: String
        /// The index of the JSON file that contains the album's title.
        package var json: Int
    }

    package let files: [TakeoutFile]
    /// The index of the export to which each source belongs.
    private let exports: [Int]
    /// The folders of years, by export.
    let years: TakeoutYears
    package private(set) var units: [Unit] = []
    package private(set) var albums: [Album] = []
    private var albumIndices: [Folder: Int] = [:]
    /// The album members whose files are outside the album's folder.
    ///
    /// The folder of such an album contains only the JSON file of the photo.
    package private(set) var links: [(folder: Folder, file: Int)] = []
    /// The report lines of files that are not imported.
    package private(set) var lines: [TakeoutLine] = []

    private struct FolderFiles {
        var jsons: [Int] = []
        var albums: [Int] = []
        var media: [Int] = []
    }

    /// Creates a plan for the files of one or more exports.
    ///
    /// `exports` contains for each source the index of its export. A description is never applied
    /// to a file of another export.
    package init(files: [TakeoutFile], exports: [Int] = []) {
        self.files = files
        self.exports = exports
        years = TakeoutYears(files) { index in
            let source = files[index].source
            return exports.indices.contains(source) ? exports[source] : 0
        }
        var folders: [Folder: FolderFiles] = [:]
        for (index, file) in files.enumerated() {
            let folder = folder(of: index)
            switch file.reading {
            case nil: folders[folder, default: FolderFiles()].media.append(index)
            case .facts(let facts) where facts.kind == .asset:
                folders[folder, default: FolderFiles()].jsons.append(index)
            case .facts(let facts) where facts.kind == .album:
                folders[folder, default: FolderFiles()].albums.append(index)
            case .facts:
                add(index, .unsupported, "It is a JSON file that describes no photo and no album.")
            case .failed(let reason): add(index, .failed, reason)
            }
        }
        var unused: [(folder: Folder, json: Int)] = []
        var described = TakeoutTitles()
        let sorted = folders.sorted {
            ($0.key.export, $0.key.path) < ($1.key.export, $1.key.path)
        }
        for (folder, content) in sorted {
            addAlbum(folder, content)
            let items = match(content)
            let used = Set(items.compactMap(\.json))
            for item in items {
                guard let json = item.json, item.original == nil, item.picture == nil,
                    let key = titleKey(json, folder.export)
                else { continue }
                described.add(item.file, key)
            }
            unused += content.jsons.filter { !used.contains($0) }.map { (folder, $0) }
            addUnits(items)
        }
        for (folder, json) in unused { settle(json, in: folder, described) }
    }

    /// Returns Google's description of a file; nil if there is none, and for a copy whose original
    /// was guessed.
    package func facts(of item: Item) -> TakeoutFacts? {
        item.isOriginalGuessed ? nil : item.json.flatMap(facts(at:))
    }

    /// Returns whether a file was in Google's trash, also a copy whose original was guessed.
    func isTrashed(_ item: Item) -> Bool { item.json.flatMap(facts(at:))?.isTrashed ?? false }

    private func facts(at json: Int) -> TakeoutFacts? {
        guard case .facts(let facts)? = files[json].reading else { return nil }
        return facts
    }

    /// Returns the index of the export that contains a file.
    func export(of file: Int) -> Int {
        let source = files[file].source
        return exports.indices.contains(source) ? exports[source] : 0
    }

    /// Returns the folder that contains a file.
    func folder(of file: Int) -> Folder {
        Folder(export: export(of: file), path: Self.folder(of: files[file]))
    }

    package static func folder(of file: TakeoutFile) -> String {
        file.commonPath.split(separator: "/").dropLast().joined(separator: "/")
    }

    private static func name(of file: TakeoutFile) -> String {
        file.path.split(separator: "/").last.map(String.init) ?? file.path
    }

    // MARK: - Albums

    private mutating func addAlbum(_ folder: Folder, _ content: FolderFiles) {
        let sorted = content.albums.sorted { Self.name(of: files[$0]) < Self.name(of: files[$1]) }
        let titled = sorted.first { facts(at: $0)?.title != nil }
        for json in sorted where json != titled {
            add(
                json,
                .paired,
                nil,
                [
                    MigrationNote("untitledAlbum", "The album has no title, so none was created.")
                ] + albumNotes(json)
            )
        }
        guard let titled, let title = facts(at: titled)?.title else { return }
        guard !content.media.isEmpty || !content.jsons.isEmpty,
            !years.isYear(folder.path, in: folder.export)
        else {
            add(titled, .paired, nil, albumNotes(titled))
            return
        }
        albumIndices[folder] = albums.count
        albums.append(Album(folder: folder, title: title, json: titled))
    }

    /// Returns the album of a folder; nil if the folder has none.
    func album(in folder: Folder) -> Album? { albumIndices[folder].map { albums[$0] } }

    /// Returns report notes with an album's description and the names of its truncated values.
    ///
    /// Albums in this library have no description.
    func albumNotes(_ json: Int) -> [MigrationNote] {
        guard let facts = facts(at: json) else { return [] }
        var notes: [MigrationNote] = []
        if let text = facts.caption, !text.isEmpty {
            notes.append(
                MigrationNote(
                    "albumDescription",
                    "The description of the album is kept in this report only: \(text)"
                )
            )
        }
        return notes + [facts.cutNote].compactMap(\.self)
    }

    // MARK: - Matching

    private func match(_ content: FolderFiles) -> [Item] {
        let matcher = TakeoutMatcher(
            jsons: content.jsons.map { Self.name(of: files[$0]) },
            titles: content.jsons.map { facts(at: $0)?.title },
            media: content.media.map { Self.name(of: files[$0]) },
            sources: TakeoutMatcher.Sources(
                jsons: content.jsons.map { files[$0].source },
                media: content.media.map { files[$0].source }
            )
        )
        return zip(content.media, matcher.matches()).map { file, match in
            var item = Item(file: file)
            item.json = match?.json.map { content.jsons[$0] }
            let partner = match?.partner.map { content.media[$0] }
            switch match?.rule {
            case .edited:
                item.original = partner
                item.isOriginalGuessed = match?.isGuessed == true
            case .movieHalf: item.picture = partner
            default: break
            }
            if match?.isGuessed == true { item.notes.append(Self.guessedMatch) }
            if item.json == nil { item.notes.append(Self.noMetadata) }
            return item
        }
    }

    static let guessedMatch = MigrationNote(
        "guessedMatch",
        "Its name suggests which photo it belongs to, but no rule of Google's does."
    )
    static let noMetadata = MigrationNote(
        "noMetadata",
        "There is no JSON for it, so it was imported by the file alone."
    )

    /// Groups each original with its edited copies and its movie into a unit.
    private mutating func addUnits(_ items: [Item]) {
        var partners: [Int: [Item]] = [:]
        for item in items {
            guard let leader = item.original ?? item.picture else { continue }
            partners[leader, default: []].append(item)
        }
        for item in items where item.original == nil && item.picture == nil {
            var unit = Unit(items: [item])
            var position = 0
            while position < unit.items.count {
                unit.items += partners.removeValue(forKey: unit.items[position].file) ?? []
                position += 1
            }
            units.append(unit)
        }
    }

    // MARK: - JSON files without a medium

    private func titleKey(_ json: Int, _ export: Int) -> TakeoutTitles.Key? {
        guard let facts = facts(at: json), let title = facts.title else { return nil }
        return TakeoutTitles.Key(
            export: export,
            title: title,
            number: TakeoutJSONName(Self.name(of: files[json])).number,
            time: facts.takenSeconds
        )
    }

    private mutating func settle(_ json: Int, in folder: Folder, _ described: TakeoutTitles) {
        if let key = titleKey(json, folder.export), let file = described.file(key) {
            links.append((folder, file))
            add(json, .paired, nil)
            return
        }
        let title = facts(at: json)?.title ?? Self.name(of: files[json])
        add(
            json,
            .missing,
            "The export describes “\(title)” here, but does not contain it. Import all parts of the"
                + " export together, or download the photo from Google Photos.",
            isLeading: true
        )
    }

    private mutating func add(
        _ file: Int,
        _ outcome: MigrationLine.Outcome,
        _ reason: String?,
        _ notes: [MigrationNote] = [],
        isLeading: Bool = false
    ) {
        lines.append(line(file, outcome, reason: reason, notes: notes, isLeading: isLeading))
    }

    /// Creates the report line of a file.
    func line(
        _ file: Int,
        _ outcome: MigrationLine.Outcome,
        localIdentifier: String? = nil,
        reason: String? = nil,
        notes: [MigrationNote] = [],
        isLeading: Bool = false
    ) -> TakeoutLine {
        let found = files[file]
        return TakeoutLine(
            source: found.source,
            line: MigrationLine(
                kind: .takeout,
                item: found.commonPath,
                path: found.path,
                outcome: outcome,
                localIdentifier: localIdentifier,
                reason: reason,
                notes: notes,
                isLeading: isLeading
            ),
            size: outcome == .missing ? 0 : found.size
        )
    }
}

extension TakeoutFacts {
    /// The note that names the truncated values; nil if no values were truncated.
    var cutNote: MigrationNote? {
        guard !cutValues.isEmpty else { return nil }
        return MigrationNote(
            "textTooLong",
            "Its text is longer than this library takes, and was cut: "
                + cutValues.joined(separator: ", ") + "."
        )
    }
}
