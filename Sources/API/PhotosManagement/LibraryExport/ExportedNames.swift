internal import Foundation
internal import PhotoModel

/// The names of exported files: the original file names, made unique in their folder.
///
/// 1. Names that differ only in letter case count as equal, since some file systems and programs
///    ignore case.
/// 2. All files of an asset have the same stem, so that programs recognize that they belong
///    together.
/// 3. Exports of equal libraries have equal names, because assets are named in the order of their
///    insertion.
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
    }

    private var taken: [String: Swift.Set<String>] = [:]
    /// The number that was tried last to make file names unique, for each folder, stem and list of
    /// tails.
    ///
    /// A tail is the part of a name after the stem and the number.
    ///
    /// Names are never freed, so all smaller numbers remain taken.
    private var numbers: [Wish: Int] = [:]

    private struct Wish: Hashable {
        var folder: String
        var stem: String
        var tails: [String]
    }

    /// Returns unused names for the files of an asset in a folder.
    ///
    /// - Parameters:
    ///   - resources: The files, the primary one first; at least one.
    ///   - folder: The path of the folder.
    /// - Returns: The names, in the order of the files.
    mutating func names(for resources: [ResourceRecord], in folder: String) -> Set {
        let tails = Self.tails(resources)
        let stem = FileName(Self.safe(resources.first?.originalFilename ?? "")).stem
        // The longest tail of all, with the sidecar's.
        let primary = tails.first ?? ""
        let longest = (tails + [primary + ".xmp"]).map(\.utf8.count).max() ?? 0
        let wish = Wish(folder: folder, stem: stem, tails: tails)
        while true {
            let mark = nextMark(wish)
            let base = Self.base(stem, mark, before: longest)
            let names = tails.map { base + $0 }
            let sidecar = base + primary + ".xmp"
            if take(names + [sidecar], in: folder) {
                let entries = zip(names, resources).map { Entry(name: $0, resource: $1) }
                return Set(entries: entries, sidecar: sidecar)
            }
        }
    }

    /// Returns the next mark for making a stem unique: first empty text, then a number in
    /// parentheses.
    private mutating func nextMark(_ wish: Wish) -> String {
        let number = numbers[wish, default: 0] + 1
        numbers[wish] = number
        return number == 1 ? "" : " (\(number))"
    }

    /// Returns an unused name for a single file or subfolder in a folder.
    mutating func name(_ wanted: String, in folder: String) -> String {
        let name = FileName(wanted)
        let wish = Wish(folder: folder, stem: name.stem, tails: [name.suffix])
        while true {
            let mark = nextMark(wish)
            let candidate =
                Self.base(name.stem, mark, before: name.suffix.utf8.count) + name.suffix
            if take([candidate], in: folder) { return candidate }
        }
    }

    private mutating func take(_ names: [String], in folder: String) -> Bool {
        let keys = names.map { $0.precomposedStringWithCanonicalMapping.lowercased() }
        guard Swift.Set(keys).count == keys.count,
            taken[folder, default: []].isDisjoint(with: keys)
        else { return false }
        taken[folder, default: []].formUnion(keys)
        return true
    }

    // MARK: - Parts of names

    /// Returns the stem followed by the mark, with the stem shortened if necessary so that `tail`
    /// more bytes can be appended to the file name.
    private static func base(_ stem: String, _ mark: String, before tail: Int) -> String {
        let room = max(1, FileName.maximumLength - mark.utf8.count - tail)
        // A stem that was shortened may be empty, or consist of dots.
        return safe(FileName.fitting(stem, length: room)) + mark
    }

    /// Returns the part of each name after the common stem; no two parts are equal.
    private static func tails(_ resources: [ResourceRecord]) -> [String] {
        var used: Swift.Set<String> = []
        return resources.map { resource in
            let mark = mark(of: resource.type)
            let suffix = suffix(of: resource)
            var number = 1
            while true {
                let tail = mark + (number == 1 ? "" : "-\(number)") + suffix
                if used.insert(tail.lowercased()).inserted { return tail }
                number += 1
            }
        }
    }

    private static func mark(of type: ResourceType) -> String {
        switch type {
        case .photo, .video, .audio, .photoProxy, .alternatePhoto, .pairedVideo, .adjustmentData:
            ""
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: "-edited"
        case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo: "-base"
        // The exported metadata has the usual name of a sidecar.
        case .sidecar: "-sidecar"
        }
    }

    private static func suffix(of resource: ResourceRecord) -> String {
        let own = FileName(safe(resource.originalFilename)).suffix
        if !own.isEmpty { return own }
        return FileName((resource.path as NSString).lastPathComponent).suffix
    }

    /// Returns a file name in Unicode's composed form that is also valid on FAT, exFAT and NTFS.
    static func safe(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.precomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar {
            case "/": scalars.append("\u{2215}")
            case "\u{0}"..."\u{1F}", "\u{7F}", "\\", ":", "*", "?", "\"", "<", ">", "|":
                scalars.append("_")
            default: scalars.append(scalar)
            }
        }
        let safe = String(scalars)
        let isPlain = safe.unicodeScalars.contains { $0 != "." && $0 != " " }
        return isPlain ? safe : "Untitled"
    }
}
