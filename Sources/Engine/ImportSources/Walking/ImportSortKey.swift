internal import Foundation

/// A sort key that places files of one asset next to each other, the primary one first.
///
/// The key uses names only, since it decides nothing but the order; content decides what a file is
/// and which asset it belongs to. A still comes before the files that join it (a RAW, a movie), and
/// sidecars come last, so that each of them finds its asset in the same batch.
package struct ImportSortKey: Comparable {
    /// The part of the name that the files of one shot share.
    package let group: [UInt8]
    private let rank: Int
    private let name: [UInt8]

    /// Creates the key of a file name.
    package init(name: [UInt8]) {
        self.name = name
        let (stem, suffix) = Self.split(name)
        var rank = Self.rank(ofSuffix: suffix)
        var group = stem.lowercasedASCII
        // IMG_0001.JPG.xmp belongs to IMG_0001.JPG.
        if rank == Self.sidecarRank {
            let (inner, innerSuffix) = Self.split(group)
            if Self.rank(ofSuffix: innerSuffix) < Self.unknownRank { group = inner }
        }
        // Apple's names for an edit (IMG_E0001) and for its data (IMG_O0001).
        if group.starts(with: Array("img_e".utf8)) || group.starts(with: Array("img_o".utf8)) {
            group.remove(at: 4)
            if rank == Self.stillRank { rank = Self.editedRank }
        }
        let editMark = Array("_edited".utf8)
        if group.hasSuffix(editMark), group.count > editMark.count {
            group.removeLast(editMark.count)
            if rank == Self.stillRank { rank = Self.editedRank }
        }
        // Files of an item of an Apple library: UUID_3.mov, UUID_5.aae.
        if group.count == 38, group[36] == UInt8(ascii: "_"),
            UUID(uuidString: String(decoding: group.prefix(36), as: UTF8.self)) != nil
        {
            group.removeLast(2)
        }
        let movieMark = Array("_hevc".utf8)
        if group.hasSuffix(movieMark) { group.removeLast(movieMark.count) }
        self.group = group
        self.rank = rank
    }

    package static func < (left: Self, right: Self) -> Bool {
        if left.group != right.group { return left.group.lexicographicallyPrecedes(right.group) }
        if left.rank != right.rank { return left.rank < right.rank }
        return left.name.lexicographicallyPrecedes(right.name)
    }

    private static let stillRank = 0
    private static let editedRank = 1
    private static let rawRank = 2
    private static let movieRank = 3
    private static let unknownRank = 4
    private static let sidecarRank = 5

    private static func rank(ofSuffix suffix: [UInt8]) -> Int {
        ranks[String(decoding: suffix.lowercasedASCII, as: UTF8.self)] ?? unknownRank
    }

    private static let ranks: [String: Int] = {
        let suffixes: [(Int, String)] = [
            (
                stillRank,
                "jpg jpeg jpe heic heif hif avif heics png apng gif webp tif tiff jxl jp2 j2k bmp mpo"
            ),
            (
                rawRank,
                "dng cr2 cr3 crw nef nrw arw sr2 srf srw raf orf ori rw2 rwl raw pef kdc dcr 3fr fff"
                    + " iiq erf mef mos mrw x3f gpr"
            ),
            (movieRank, "mov mp4 m4v 3gp 3g2 avi mkv webm mts m2ts"),
            (sidecarRank, "aae xmp"),
        ]
        return suffixes.reduce(into: [:]) { ranks, entry in
            for suffix in entry.1.split(separator: " ") { ranks[String(suffix)] = entry.0 }
        }
    }()

    /// Splits a name at its last dot.
    ///
    /// A leading dot does not begin a suffix.
    private static func split(_ name: [UInt8]) -> ([UInt8], [UInt8]) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (name, []) }
        return (Array(name[..<dot]), Array(name[(dot + 1)...]))
    }
}
