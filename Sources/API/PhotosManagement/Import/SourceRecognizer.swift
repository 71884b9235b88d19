internal import Glibc

/// Recognizes what a path to import is: a library of another program, or files and folders.
///
/// Looks only at which files are there; names of bundles prove nothing, since a copied bundle is a
/// plain folder. Nothing is read.
public enum ImportSourceKind: String, Sendable, Hashable, CaseIterable {
    /// A library of Apple's Photos, of a generation that can be read.
    case applePhotos
    /// A library of Aperture or of iPhoto, which cannot be imported as a library.
    case unsupportedLibrary
    /// Files and folders.
    case files

    /// Recognizes the folder or file at a path.
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
        } else if exists("Database/apdb/Library.apdb") || exists("AlbumData.xml") {
            self = .unsupportedLibrary
        } else {
            self = .files
        }
    }

    /// The reason why a recognized library cannot be imported, with the way out; nil if it can be.
    public var reasonAgainst: String? {
        switch self {
        case .applePhotos, .files: nil
        case .unsupportedLibrary:
            "It is a library of iPhoto or Aperture. Open it once in Photos on a Mac, which upgrades"
                + " it, and import the upgraded library; or import the folder with its originals."
        }
    }
}
