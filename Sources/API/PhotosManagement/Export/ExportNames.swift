internal import PhotoModel

/// The file names under which the files of one asset are exported: those that its resources have.
///
/// `IMG_1.jpg` and its sidecars `IMG_1.jpg.xmp` and `IMG_1.xmp` keep these names. Where one is taken in
/// the folder a number goes behind the stem that they share, so that an import finds again what belongs
/// together.
struct ExportNames {
    private let originals: [String]
    /// The stem of the leading file.
    private let stem: String
    /// What follows the stem, per file; nil for a name that does not begin with it.
    private let tails: [String?]

    /// Prepares the names of a set of files.
    ///
    /// - Parameter originals: The names of the resources, which all differ, the leading one first.
    init(_ originals: [String]) {
        let names = originals.map(Self.safe)
        let stem = names.first.map { FileName($0).stem } ?? ""
        self.originals = names
        self.stem = stem
        tails = names.enumerated().map { index, name in
            guard name.hasPrefix(stem) else { return nil }
            let tail = name.dropFirst(stem.count)
            return index == 0 || tail.first == "." ? String(tail) : nil
        }
    }

    /// The names of the set, each of at most 255 bytes and safe as a name in a folder.
    ///
    /// - Parameter number: 0 for the names themselves, else a number that goes behind the stem.
    /// - Returns: A name per file, in the order of the originals.
    func names(number: Int) -> [String] {
        let mark = number == 0 ? "" : " (\(number))"
        let longest = tails.map { $0?.utf8.count ?? 0 }.max() ?? 0
        let room = max(1, FileName.maximumLength - mark.utf8.count - longest)
        let stem = FileName.fitting(stem, length: room) + mark
        return zip(originals, tails).map { name, tail in
            tail.map { stem + $0 } ?? FileName(name).text(marked: mark)
        }
    }

    // MARK: - Parts

    /// A name without slashes and zeros that is not empty, `.` or `..`.
    ///
    /// By scalar: a slash with a combining mark is a character of its own, and still a slash in the
    /// file system.
    private static func safe(_ original: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(
            contentsOf: original.unicodeScalars.map { $0 == "/" || $0 == "\0" ? "_" : $0 }
        )
        let name = String(scalars)
        return name.unicodeScalars.allSatisfy { $0 == "." } ? "Untitled" : name
    }
}
