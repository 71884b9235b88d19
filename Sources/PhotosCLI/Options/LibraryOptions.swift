import ArgumentParser
import Foundation
import PhotosManagement

/// Which library; understood before and after the verb.
struct LibraryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The library's folder.",
            discussion:
                "Default: $PHOTOS_LIBRARY, else 'Photos Library.photolibrary' in the pictures"
                + " folder.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var library: String?

    /// The library's folder, absolute.
    var url: URL {
        guard let library else { return PhotoLibraryBundle.defaultURL }
        return URL(
            filePath: SourcePath(library).absolute().description,
            directoryHint: .isDirectory
        )
    }

    /// Opens the library and makes it PhotoKit's.
    func open() throws -> PhotoLibraryBundle {
        let bundle = try PhotoLibraryBundle.open(at: url)
        bundle.use()
        return bundle
    }

    func validate() throws {
        if library?.isEmpty == true {
            throw ValidationError("--library needs the path of a folder.")
        }
    }
}
