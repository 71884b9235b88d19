internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The file layout of a library of Apple's Photos or of iPhoto.
struct AppleLibraryForm {
    /// The name of the program that writes the library.
    var program: String
    /// The path of the database.
    var database: String
    /// The additional databases of iPhoto, each with its path and the parts that identify the
    /// database and its write-ahead log.
    ///
    /// Any of these databases may be absent.
    var furtherDatabases: [(path: String, part: ForeignLibraryPart, log: ForeignLibraryPart)] = []
    /// The path of the property list that identifies the program; nil for Photos.
    var modelVersion: String?
    /// The folders with files that may belong to assets.
    var folders: [String]
    /// The folders whose files are reported if no asset references them.
    var foldersOfOriginals: [String]
    /// A message fragment that explains an absent original: the predicate of a sentence, followed
    /// by the remedy.
    var absence: String
    /// The remedy for absent originals.
    var advice: String
    /// The remedy for a library that cannot be read; nil to use the remedy that the error states.
    var recovery: String?

    var isIPhoto: Bool { modelVersion != nil }

    /// Libraries of Photos, of all generations.
    private static func photos(_ database: String) -> AppleLibraryForm {
        AppleLibraryForm(
            program: "Photos",
            database: database,
            folders: [
                "originals", "Masters", "resources/renders", "resources/media",
                "resources/cloudsharing", "scopes",
            ],
            foldersOfOriginals: ["originals", "scopes", "Masters"],
            absence: MigrationPlan.absence,
            advice: MigrationPlan.advice
        )
    }

    private static let iPhotoAdvice =
        "Copy the whole library from the Mac again, and import it again."

    private static func iPhoto(_ modelVersion: String) -> AppleLibraryForm {
        AppleLibraryForm(
            program: "iPhoto",
            database: iPhotoDatabase,
            furtherDatabases: [
                ("Database/apdb/Properties.apdb", .properties, .propertiesLog),
                ("Database/apdb/Faces.db", .faces, .facesLog),
            ],
            modelVersion: modelVersion,
            folders: ["Masters", "Previews"],
            foldersOfOriginals: ["Masters"],
            absence: "is not in the library: the library was not copied completely, or its file was"
                + " removed. " + iPhotoAdvice,
            advice: iPhotoAdvice,
            recovery: recovery
        )
    }

    private static let iPhotoDatabase = "Database/apdb/Library.apdb"
    private static let recovery =
        "Open it once in Photos on a Mac, which upgrades it, and import the upgraded library. Or"
        + " import only its originals: the folder Masters in it."

    /// Recognizes the library in a folder by the files that are there.
    ///
    /// - Throws: `invalidResource` if it is none, or one of Aperture.
    static func find(in folder: SourceFolder, name: String) throws(LibraryError)
        -> AppleLibraryForm
    {
        func exists(_ path: String) throws(LibraryError) -> Bool {
            do throws(SystemError) {
                return try folder.status(of: path)?.isRegularFile == true
            } catch { throw error.libraryError("The library \(name) cannot be read.") }
        }
        // A stub lies beside the database of Photos 5 and later.
        for path in ["database/Photos.sqlite", "database/photos.db"] where try exists(path) {
            return photos(path)
        }
        if try exists(iPhotoDatabase) {
            for path in ["Database/apdb", "Database"].map({ $0 + "/DataModelVersion.plist" })
            where try exists(path) {
                return iPhoto(path)
            }
            throw LibraryError(
                .invalidResource,
                "The library \(name) cannot be read.",
                reason: ForeignLibraryPart.apertureReason,
                recovery: recovery
            )
        }
        throw LibraryError(
            .invalidResource,
            "\(name) is not a library of Photos or of iPhoto 9.",
            reason: "It has no database/Photos.sqlite, no database/photos.db and no"
                + " \(iPhotoDatabase).",
            recovery: "Copy the library as a whole, or import the folder with its originals."
        )
    }
}
