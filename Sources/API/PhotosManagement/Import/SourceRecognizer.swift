internal import Glibc
internal import ImportSources
internal import LibraryService

/// The kind of a path to import: a library of another program, an export of a library, or files and
/// folders.
///
/// Only the existence of certain files decides; the name of a bundle proves nothing, since a copied
/// bundle is a plain folder. Of `library.jsonl`, only the beginning is read, and nothing in it is
/// parsed.
public enum ImportSourceKind: String, Sendable, Hashable, CaseIterable {
    /// A library of Apple's Photos or of iPhoto 9, in a format that can be read.
    ///
    /// Libraries of later Aperture versions have the same files, and are refused when they are
    /// opened.
    case applePhotos
    /// A folder that `photos export --all` wrote.
    case photosExport
    /// A library of an early Aperture version, which cannot be imported as a library.
    case unsupportedLibrary
    /// A library of iPhoto 8 or earlier, which cannot be imported as a library.
    case earlyIPhotoLibrary
    /// Files and folders.
    case files

    /// Determines the kind of the folder or file at a path.
    public init(of path: SourcePath) {
        func exists(_ name: String) -> Bool {
            var status = stat()
            let whole = SourcePath(bytes: path.bytes + [UInt8(ascii: "/")] + Array(name.utf8))
            return whole.bytes.withCString { stat($0, &status) } == 0
                && status.st_mode & S_IFMT == S_IFREG
        }
        if exists("database/Photos.sqlite") {
            self = .applePhotos
        } else if exists("database/library.sqlite") {
            // A library of this project; files in it are refused one by one.
            self = .files
        } else if exists("database/photos.db") {
            self = .applePhotos
        } else if exists("Database/apdb/Library.apdb") {
            self = .applePhotos
        } else if exists("Aperture.aplib/Library.apdb") {
            self = .unsupportedLibrary
        } else if exists("AlbumData.xml") {
            self = .earlyIPhotoLibrary
        } else if Self.isExport(path, isMarked: exists(".photos-export/library")) {
            self = .photosExport
        } else {
            self = .files
        }
    }

    /// Returns whether a folder was written by `photos export --all`.
    ///
    /// An export has a regular file `library.jsonl`. In addition, the folder is marked as an
    /// export, or the file begins with the header line of an export.
    private static func isExport(_ path: SourcePath, isMarked: Bool) -> Bool {
        let whole = SourcePath(bytes: path.bytes + Array("/library.jsonl".utf8))
        let file = whole.bytes.withCString {
            open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        }
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return isMarked || SourceBundle.isExportList(file)
    }

    /// The reason why a recognized library cannot be imported, with a suggestion; nil if it can be
    /// imported.
    public var reasonAgainst: String? {
        switch self {
        case .applePhotos, .photosExport, .files: nil
        case .unsupportedLibrary:
            "It is a library of Aperture. Open it once in Photos on a Mac, which makes"
                + " a Photos library of it with its albums and edits, and import that library. Or"
                + " import only its originals: the folder Masters in it."
        case .earlyIPhotoLibrary:
            "It is a library of iPhoto 8 or earlier. Open it once in iPhoto 9 and then in Photos on"
                + " a Mac, which makes a Photos library of it with its albums and edits, and import"
                + " that library. Or import only its originals: the folder Originals in it."
        }
    }
}
