internal import Foundation
internal import ImportSources
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// A walk through the folders of a camera or phone, one folder at a time.
struct DeviceWalker: ImportWalk {
    /// Disables reading ahead, because the device handles one call at a time and its files arrive
    /// in the order of the calls.
    static let readsAhead = false

    private static let maximumDepth = 64
    /// The maximum number of folders on a device.
    ///
    /// A device with more is assumed to have a folder that contains itself.
    private static let maximumFolders = 100_000
    /// The number of entries in one folder after which the rest of the folder is skipped.
    ///
    /// Each page of a listing also counts as an entry.
    private static let maximumEntries = 400_000

    private let source: DeviceSource
    /// The folders that are not visited yet, in reverse order, with their depths.
    private var pending: [(folder: Data, depth: Int)]
    private var visited = 0
    /// Indicates whether the walk is limited to the folder `DCIM` on each storage that has one;
    /// other storages are visited completely.
    private let prefersPhotos: Bool

    /// Creates a walk through folders of a device.
    ///
    /// Without folders, it walks the folder `DCIM` of each storage, or all folders of a storage
    /// without one.
    init(source: DeviceSource, folders: [SourcePath] = []) {
        self.source = source
        prefersPhotos = folders.isEmpty
        let folders = folders.isEmpty ? [SourcePath("/")] : folders
        pending = folders.reversed().map { (Self.absolute($0), 0) }
    }

    private static func absolute(_ folder: SourcePath) -> Data {
        let parts = folder.bytes.split(separator: UInt8(ascii: "/"))
        return Data([UInt8(ascii: "/")] + parts.joined(separator: [UInt8(ascii: "/")]))
    }

    mutating func next() throws(FolderWalker.TooManyOpenFiles) -> [FolderWalker.Item]? {
        guard let (folder, depth) = pending.popLast() else { return nil }
        visited += 1
        guard depth < Self.maximumDepth, visited <= Self.maximumFolders else {
            return [failed(folder, "It is nested too deeply, or the device has too many folders.")]
        }
        var items: [FolderWalker.Item] = []
        var files: [(SourceCandidate, ImportSortKey)] = []
        var folders: [Data] = []
        var start: Int? = 0
        var entries = 0
        while let position = start {
            do throws(DeviceFailure) {
                let page = try source.page(of: folder, from: position)
                folders += page.folders
                for file in page.files {
                    let candidate = SourceCandidate(file, in: folder, on: source)
                    files.append((candidate, ImportSortKey(name: Array(file.name))))
                }
                if page.refused > 0 {
                    let text = "\(page.refused) names in it cannot be used: they are empty, too"
                    items.append(failed(folder, text + " long, or contain a slash."))
                }
                start = page.next
                entries += 1 + page.folders.count + page.files.count
                if start != nil, entries > Self.maximumEntries {
                    items.append(failed(folder, "It has too many files; the rest was left out."))
                    start = nil
                }
            } catch {
                items.append(failed(folder, "The folder cannot be listed: \(error.words)."))
                start = nil
            }
        }
        // Phones also show music, caches and the pictures of other programs.
        if prefersPhotos, depth <= 1, let photos = folders.first(where: Self.isPhotos) {
            folders = [photos]
            files = []
        }
        folders.sort { $0.lexicographicallyPrecedes($1) }
        let room = max(0, Self.maximumFolders - visited - pending.count)
        if folders.count > room {
            items.append(failed(folder, "The device has too many folders; some were left out."))
            folders = Array(folders.prefix(room))
        }
        for name in folders.reversed() {
            let isRoot = folder == Data("/".utf8)
            pending.append(((isRoot ? Data() : folder) + Data("/".utf8) + name, depth + 1))
        }
        files.sort { $0.1 < $1.1 }
        return items + files.map { .file($0.0, group: $0.1.group) }
    }

    private static func isPhotos(_ name: Data) -> Bool {
        Array(name).lowercasedASCII == Array("dcim".utf8)
    }

    private func failed(_ folder: Data, _ reason: String) -> FolderWalker.Item {
        .settled(FileOutcome(path: source.path(of: folder), kind: .failed, reason: reason))
    }
}
