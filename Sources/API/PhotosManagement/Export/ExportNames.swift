internal import PhotoModel

/// The file names for the export of one asset, based on the names of its resources.
///
/// `IMG_1.jpg` and its sidecars `IMG_1.jpg.xmp` and `IMG_1.xmp` keep their names. When one of the
/// names is taken in the folder, a number is appended to the common stem of all of them, so that a
/// later import still groups the files.
struct ExportNames {
    private let originals: [String]
    /// The stem of the primary file.
    private let stem: String
    /// The rest of each name after the stem; nil for a name that does not begin with the stem.
    private let tails: [String?]

    /// Creates the names from the original names of a set of files, the primary one first.
    ///
    /// - Parameter originals: The distinct names of the resources, the primary one first.
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

    /// Returns the file names with the given number appended to their stem; each name is valid and
    /// at most 255 bytes long.
    ///
    /// - Parameter number: The number appended to the stem; 0 for the unchanged names.
    /// - Returns: One name per file, in the order of the originals.
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

    /// Returns a valid file name: without slashes and null characters, and not empty, `.` or `..`.
    ///
    /// It works on scalars, because a slash with a combining mark is one character, and the file
    /// system still treats the slash as a separator.
    private static func safe(_ original: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(
            contentsOf: original.unicodeScalars.map { $0 == "/" || $0 == "\0" ? "_" : $0 }
        )
        let name = String(scalars)
        return name.unicodeScalars.allSatisfy { $0 == "." } ? "Untitled" : name
    }
}
