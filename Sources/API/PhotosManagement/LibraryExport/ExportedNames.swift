internal import Foundation
internal import PhotoModel

/// The names of exported files: the original file names, made unique in their folder.
///
/// 1. Names that differ only in letter case count as equal, since some file systems and programs
///    ignore case.
/// 2. All files of an asset have the same stem, so that programs recognize that they belong
///    together.
/// 3. An asset keeps the names that it got in an earlier export. Other assets do not get these
///    names while the files exist, even if this export does not contain the asset.
/// 4. A file of unknown origin is not replaced, unless it is a sidecar that identifies the asset.
///    An asset gets its name only if it has the content to export. Exports of versions without
///    ``ExportNameLog`` therefore keep their names.
/// 5. First exports of equal libraries have equal names, because assets are named in the order of
///    their insertion.
struct ExportedNames {
    /// A file of an asset with its exported name.
    struct Entry {
        var name: String
        var resource: ResourceRecord
    }

    /// The files of an asset with their names, the primary file first.
    struct Set {
        var entries: [Entry]
        /// The name of the XMP sidecar with the asset's metadata.
        var sidecar: String
        /// The number that makes the names unique; 1 stands for names without a number.
        var number: Int
        /// Indicates whether the log of names lacks these names or has another number.
        var isNew = false

        var names: [String] { entries.map(\.name) + [sidecar] }
    }

    /// The asset that has a name in a folder.
    private struct Owner {
        /// The asset's UUID; empty for names in albums.
        var asset: String
        /// The name as it was given.
        var name: String
        /// Indicates whether the name was given in this export.
        var isGiven: Bool
    }

    /// The reasons for which an asset does or does not get names.
    private enum Verdict {
        case free
        /// Another asset has one of the names.
        case taken
        /// A file of unknown origin has one of the names, and another content.
        case occupied
    }

    private struct Wish: Hashable {
        var folder: String
        var stem: String
        var tails: [String]
    }

    private struct Place: Hashable {
        var asset: String
        var folder: String
    }

    /// The owners of names, by folder and by the form of the name that is compared.
    private var owners: [String: [String: Owner]] = [:]
    /// The numbers that assets got in earlier exports.
    private var formerNumbers: [Place: Int] = [:]
    /// The number up to which all file names belong to assets, for each folder, stem and list of
    /// tails.
    ///
    /// A tail is the part of a name after the stem and the number.
    private var numbers: [Wish: Int] = [:]

    /// Adds the names that an asset got in an earlier export; later ones take precedence.
    mutating func add(_ line: ExportNameLog.Line) {
        // Millions of assets share the text of a folder.
        let folder = owners.index(forKey: line.folder).map { owners.keys[$0] } ?? line.folder
        formerNumbers[Place(asset: line.asset, folder: folder)] = line.number
        for name in line.names {
            owners[folder, default: [:]][Self.key(name)] =
                Owner(asset: line.asset, name: name, isGiven: false)
        }
    }

    // MARK: - Files of assets

    /// Returns names for the files of an asset in a folder.
    ///
    /// - Parameters:
    ///   - resources: The files, the primary one first; at least one.
    ///   - asset: The UUID of the asset, which gets names once.
    ///   - folder: The path of the folder below the export's folder.
    ///   - tree: The export's folder.
    /// - Returns: The names, in the order of the files.
    mutating func names(
        for resources: [ResourceRecord],
        of asset: String,
        in folder: String,
        on tree: ExportTree
    ) -> Set {
        let tails = Self.tails(resources)
        let stem = FileName(Self.safe(resources.first?.originalFilename ?? "")).stem
        let wish = Wish(folder: folder, stem: stem, tails: tails)
        if let number = formerNumbers[Place(asset: asset, folder: folder)] {
            let former = Self.names(wish, number, resources)
            if verdict(former, of: asset, in: folder, on: tree) == .free {
                return take(former, for: asset, in: folder)
            }
        }
        var number = numbers[wish, default: 0]
        var isGapless = true
        while true {
            number += 1
            let candidate = Self.names(wish, number, resources)
            let verdict = verdict(candidate, of: asset, in: folder, on: tree)
            // A file of unknown origin may be that of the next asset.
            if verdict == .occupied { isGapless = false }
            if isGapless { numbers[wish] = number }
            if verdict == .free { return take(candidate, for: asset, in: folder) }
        }
    }

    private static func names(_ wish: Wish, _ number: Int, _ resources: [ResourceRecord]) -> Set {
        // The longest tail of all, with the sidecar's.
        let primary = wish.tails.first ?? ""
        let longest = (wish.tails + [primary + ".xmp"]).map(\.utf8.count).max() ?? 0
        let base = base(wish.stem, counter(number), before: longest)
        let entries = zip(wish.tails, resources).map { Entry(name: base + $0, resource: $1) }
        return Set(entries: entries, sidecar: base + primary + ".xmp", number: number)
    }

    private func verdict(_ set: Set, of asset: String, in folder: String, on tree: ExportTree)
        -> Verdict
    {
        let names = set.names
        let keys = names.map(Self.key)
        guard Swift.Set(keys).count == keys.count else { return .taken }
        var unknown: [Int] = []
        for (index, key) in keys.enumerated() {
            guard let owner = owners[folder]?[key] else {
                unknown.append(index)
                continue
            }
            if owner.isGiven { return .taken }
            guard owner.asset != asset else { continue }
            if tree.exists(folder + "/" + owner.name) { return .taken }
            unknown.append(index)
        }
        for index in unknown {
            let path = folder + "/" + names[index]
            guard tree.exists(path) else { continue }
            let isItsOwn =
                index < set.entries.count
                ? tree.isPresent(set.entries[index].resource, at: path)
                : tree.isSidecar(at: path, of: asset)
            if !isItsOwn { return .occupied }
        }
        return .free
    }

    private mutating func take(_ names: Set, for asset: String, in folder: String) -> Set {
        var set = names
        let place = Place(asset: asset, folder: folder)
        set.isNew = formerNumbers[place] != set.number
        for name in set.names {
            let key = Self.key(name)
            if owners[folder]?[key]?.asset != asset { set.isNew = true }
            owners[folder, default: [:]][key] = Owner(asset: asset, name: name, isGiven: true)
        }
        return set
    }

    // MARK: - Other names

    /// Returns an unused name for a single file or subfolder in a folder of albums.
    mutating func name(_ wanted: String, in folder: String) -> String {
        let name = FileName(wanted)
        let wish = Wish(folder: folder, stem: name.stem, tails: [name.suffix])
        while true {
            let number = numbers[wish, default: 0] + 1
            numbers[wish] = number
            let base = Self.base(
                name.stem,
                Self.counter(number),
                before: name.suffix.utf8.count
            )
            let candidate = base + name.suffix
            let key = Self.key(candidate)
            guard owners[folder]?[key] == nil else { continue }
            owners[folder, default: [:]][key] = Owner(asset: "", name: candidate, isGiven: true)
            return candidate
        }
    }

    /// Returns the form of a name that is equal for names that differ only in letter case.
    private static func key(_ name: String) -> String {
        name.precomposedStringWithCanonicalMapping.lowercased()
    }

    /// Returns the part of a name that makes it unique: nothing, or a number in parentheses.
    private static func counter(_ number: Int) -> String { number == 1 ? "" : " (\(number))" }
}
