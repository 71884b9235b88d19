internal import Foundation
internal import PhotoModel

/// A sort key that places files of one asset next to each other, the primary one first.
///
/// The key uses names only, since it decides nothing but the order; content decides what a file is
/// and which asset it belongs to. A still comes before the files that join it (a RAW, a movie), and
/// sidecars come last, so that each of them finds its asset in the same batch.
package struct ImportSortKey: Comparable {
    /// The part of the name that the files of one shot share.
    package let group: [UInt8]
    /// The bytes that are compared: the group, a zero byte, the rank and the name.
    ///
    /// No name contains a zero byte, so it marks the end of the group.
    private let order: [UInt8]

    /// Creates the key of a file name.
    package init(name: [UInt8]) {
        let (stem, suffix) = Self.split(name)
        var rank = Self.rank(ofSuffix: suffix)
        var group = stem.lowercasedASCII
        // IMG_0001.JPG.xmp belongs to IMG_0001.JPG.
        if rank == Self.sidecarRank {
            let (inner, innerSuffix) = Self.split(group)
            if Self.rank(ofSuffix: innerSuffix) < Self.unknownRank { group = inner }
        }
        // Apple's names for an edit (IMG_E0001) and for its data (IMG_O0001).
        if group.starts(with: Self.editMarks.0) || group.starts(with: Self.editMarks.1) {
            group.remove(at: 4)
            if rank == Self.stillRank { rank = Self.editedRank }
        }
        if let mark = FileName.editMarks.first(where: group.hasSuffix), group.count > mark.count {
            group.removeLast(mark.count)
            if rank == Self.stillRank { rank = Self.editedRank }
        }
        // Files of an item of an Apple library: UUID_3.mov, UUID_5.aae.
        if group.count == 38, group[36] == UInt8(ascii: "_"),
            UUID(uuidString: String(decoding: group.prefix(36), as: UTF8.self)) != nil
        {
            group.removeLast(2)
        }
        if group.hasSuffix(Self.movieSuffix) { group.removeLast(Self.movieSuffix.count) }
        self.group = group
        var order: [UInt8] = []
        order.reserveCapacity(group.count + 2 + name.count)
        order += group
        order.append(0)
        order.append(rank)
        order += name
        self.order = order
    }

    private static let editMarks = (Array("img_e".utf8), Array("img_o".utf8))
    private static let movieSuffix = Array("_hevc".utf8)

    package static func < (left: Self, right: Self) -> Bool { precedes(left.order, right.order) }

    package static func == (left: Self, right: Self) -> Bool { left.order == right.order }

    /// Returns the indexes of the keys in the order of a stable sort.
    package static func positions(of keys: [Self]) -> [Int] {
        keys.indices.sorted { precedes(keys[$0].order, keys[$1].order) }
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let count = min(left.count, right.count)
        let order: Int32 = left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                return memcmp(left, right, count)
            }
        }
        return order == 0 ? left.count < right.count : order < 0
    }

    private static let stillRank: UInt8 = 0
    private static let editedRank: UInt8 = 1
    private static let rawRank: UInt8 = 2
    private static let movieRank: UInt8 = 3
    private static let unknownRank: UInt8 = 4
    private static let sidecarRank: UInt8 = 5

    private static func rank(ofSuffix suffix: [UInt8]) -> UInt8 {
        ranks[suffix.lowercasedASCII] ?? unknownRank
    }

    private static let ranks: [[UInt8]: UInt8] = {
        let suffixes: [(UInt8, String)] = [
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
            for suffix in entry.1.split(separator: " ") { ranks[Array(suffix.utf8)] = entry.0 }
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
