internal import WorkerProtocol

/// The folders that contain the photos of a year, whose names depend on the account's language.
///
/// A folder is recorded under its English name, so that it stays the same folder when Google names
/// it in another language. Until about 2025, all exports had the English names.
struct TakeoutYears: Sendable {
    /// The text before the year in folder names in languages other than English.
    private static let beginnings = [
        "Fotos von ", "Photos de ", "Fotos de ", "Fotos del ", "Foto da ",
    ]
    private static let english = "Photos from "

    /// A folder of an export or of a source.
    private struct Folder: Hashable {
        var group: Int
        var path: String
    }

    /// The English paths of folders with a name in another language.
    private var englishPaths: [Folder: String] = [:]

    /// Finds the folders of years among the folders of some files.
    ///
    /// A folder with the name of a year in another language is an album's if its album has another
    /// title. So it is if the same export has a second folder of that year in the same place.
    ///
    /// - Parameters:
    ///   - files: The files, with the descriptions of their albums.
    ///   - group: Returns the index of the export or source to which a file belongs.
    init(_ files: [TakeoutFile], group: (Int) -> Int) {
        /// Whether the title of each folder's album allows it to be a year's.
        var folders: [Folder: Bool] = [:]
        for (index, file) in files.enumerated() {
            let folder = Folder(group: group(index), path: TakeoutPlan.folder(of: file))
            folders[folder] = folders[folder, default: true] && !Self.isOther(file, folder.path)
        }
        var found: [Folder: [Folder]] = [:]
        for (folder, mayBeYear) in folders where mayBeYear {
            guard let path = Self.englishPath(folder.path) else { continue }
            found[Folder(group: folder.group, path: path), default: []].append(folder)
        }
        for (english, others) in found where others.count == 1 && folders[english] == nil {
            for folder in others { englishPaths[folder] = english.path }
        }
    }

    /// Indicates whether a folder contains the photos of a year.
    ///
    /// - Parameters:
    ///   - path: The folder's path.
    ///   - group: The index of its export or source.
    /// - Returns: True for a folder that is recorded under the English name of a year.
    func isYear(_ path: String, in group: Int) -> Bool {
        Self.year(in: Self.name(of: path), after: Self.english) != nil
            || englishPaths[Folder(group: group, path: path)] != nil
    }

    /// Returns the path of a folder, with the English name if it contains the photos of a year.
    ///
    /// - Parameters:
    ///   - path: The folder's path.
    ///   - group: The index of its export or source.
    /// - Returns: The path by which exports are compared and recorded.
    func folder(_ path: String, in group: Int) -> String {
        englishPaths[Folder(group: group, path: path)] ?? path
    }

    /// Returns the path of a file in such a folder.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - group: The index of its export or source.
    /// - Returns: The path by which exports are compared and recorded.
    func path(of file: TakeoutFile, in group: Int) -> String {
        let path = file.commonPath
        guard !englishPaths.isEmpty else { return path }
        let folder = Folder(group: group, path: TakeoutPlan.folder(of: file))
        guard let english = englishPaths[folder] else { return path }
        return english + "/" + Self.name(of: path)
    }

    // MARK: - Names

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Indicates whether a file describes an album with another title than the folder's name.
    private static func isOther(_ file: TakeoutFile, _ folder: String) -> Bool {
        guard case .facts(let facts)? = file.reading, facts.kind == .album,
            let title = facts.title
        else { return false }
        return title != name(of: folder)
    }

    /// Returns the year after the beginning of a name; nil if the name is another one.
    private static func year(in name: String, after beginning: String) -> String? {
        guard name.hasPrefix(beginning) else { return nil }
        let year = name.dropFirst(beginning.count)
        let isNumber = year.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return year.utf8.count == 4 && isNumber ? String(year) : nil
    }

    /// Returns the path with the English name of a year's folder; nil if the folder does not have
    /// such a name in another language.
    private static func englishPath(_ path: String) -> String? {
        let name = name(of: path)
        let years = beginnings.compactMap { year(in: name, after: $0) }
        guard let found = years.first else { return nil }
        let parents = path.split(separator: "/").dropLast().map(String.init)
        return (parents + [english + found]).joined(separator: "/")
    }
}
