import ArgumentParser
import Foundation
import Glibc
import PhotosManagement

/// The options for the library and the log, which are accepted before and after the subcommand.
struct LibraryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The library's folder.",
            discussion:
                "Default: $PHOTOS_LIBRARY, or 'Photos Library.photolibrary' in the pictures"
                + " folder.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var library: String?

    @Flag(
        help: ArgumentHelp(
            "Write detailed log records to standard error.",
            discussion:
                "$PHOTOS_LOG_LEVEL names the level without this option: trace, debug, info, notice,"
                + " warning (the default), error or critical."
        )
    )
    var verbose = false

    /// The absolute URL of the library's folder.
    var url: URL {
        guard let library else { return PhotoLibraryBundle.defaultURL }
        return URL(
            filePath: SourcePath(library).absolute().description,
            directoryHint: .isDirectory
        )
    }

    /// Opens the library and makes it the shared library of PhotoKit.
    ///
    /// The library is closed when the process exits.
    func open(acceptsMissingChanges: Bool = false) throws -> PhotoLibraryBundle {
        let bundle = try OpenLibraries.add {
            try PhotoLibraryBundle.open(at: url, acceptsMissingChanges: acceptsMissingChanges)
        }
        bundle.use()
        return bundle
    }

    /// Opens the library, and creates it first if it does not exist.
    ///
    /// The library is closed when the process exits.
    func openOrCreate() throws -> PhotoLibraryBundle {
        try OpenLibraries.add { try PhotoLibraryBundle.openOrCreate(at: url) }
    }

    /// Opens an import plan for the library, or for an empty library if none exists.
    ///
    /// The plan is removed when the process exits.
    func openPlan() throws -> PhotoLibraryBundle {
        try OpenLibraries.add { try PhotoLibraryBundle.openPlan(of: url) }
    }

    func validate() throws {
        // Before the library is opened, since loggers keep the level that they are created with.
        if verbose { CommandLog.setVerbose() }
        if library?.isEmpty == true {
            throw ValidationError("--library requires the path of a folder.")
        }
        try checkText()
    }

    /// Throws a usage error if the path in `--library` or `$PHOTOS_LIBRARY` is not valid UTF-8.
    private func checkText() throws {
        if let library {
            _ = try TextPath.absolute(library)
        } else if let value = getenv("PHOTOS_LIBRARY"), value.pointee != 0 {
            let bytes = UnsafeRawBufferPointer(start: value, count: strlen(value))
            _ = try TextPath.text(of: SourcePath(bytes: Array(bytes)).absolute())
        }
    }
}
