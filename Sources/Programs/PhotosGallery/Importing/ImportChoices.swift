internal import Foundation
internal import PhotosJSON
internal import PhotosManagement

/// The user's choices for an import from a folder or file on this machine.
struct ImportChoices: Sendable, Decodable {
    /// The maximum number of volumes for which folders can be given.
    private static let volumesLimit = 100

    var folder: String?
    /// Indicates whether to report what the import would do, without changing anything.
    var dryRun: Bool?
    /// Indicates whether to import shared albums of a library of Apple Photos.
    var sharedAlbums: Bool?
    /// Indicates whether to import smaller versions of originals that are missing.
    var proxies: Bool?
    /// The folders with the files of the volumes that held originals outside of the library, keyed
    /// by volume name.
    var volumes: [String: String]?

    var isDryRun: Bool { dryRun ?? false }

    /// Indicates whether a choice is set that applies only to libraries of other programs.
    private var isForLibraries: Bool {
        sharedAlbums ?? false || proxies ?? false || !(volumes ?? [:]).isEmpty
    }

    /// Throws an error for choices that do not apply to uploaded files.
    func requireNone() throws {
        guard !isDryRun, !isForLibraries else {
            throw RequestError.badRequest(
                "dryRun, sharedAlbums, proxies and volumes belong to the import of a folder on this"
                    + " machine. Name it as folder."
            )
        }
    }

    /// Checks the choices, and returns the folder or file to import.
    ///
    /// - Throws: `RequestError` if it is not there, or if the choices do not fit it.
    func source(_ folder: String) throws -> SourcePath {
        let source = SourcePath(folder)
        guard folder.hasPrefix("/"), source.exists else {
            throw RequestError.notFound("There is no folder or file \(folder).")
        }
        guard !isForLibraries || ImportSourceKind(of: source) == .applePhotos else {
            throw RequestError.badRequest(
                "sharedAlbums, proxies and volumes belong to libraries of Apple Photos and iPhoto,"
                    + " and \(folder) is none."
            )
        }
        try checkVolumes()
        return source
    }

    private func checkVolumes() throws {
        let volumes = volumes ?? [:]
        guard volumes.count <= Self.volumesLimit else {
            throw RequestError.badRequest("An import has at most \(Self.volumesLimit) volumes.")
        }
        for (name, path) in volumes.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty else {
                throw RequestError.badRequest("The volume at \(path) has no name.")
            }
            var isFolder: ObjCBool = false
            guard path.hasPrefix("/"),
                FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                isFolder.boolValue
            else {
                throw RequestError.notFound("There is no folder \(path) for the volume \(name).")
            }
        }
    }

    /// The options for importing a library of another program.
    var migrationOptions: LibraryMigration.Options {
        var options = LibraryMigration.Options()
        options.isDryRun = isDryRun
        options.includesSharedAlbums = sharedAlbums ?? false
        options.includesProxies = proxies ?? false
        options.volumes = (volumes ?? [:]).mapValues { SourcePath($0) }
        return options
    }

    /// The JSON of a request that starts the same import.
    var json: JSONObject {
        var object = JSONObject()
        object.add("folder", folder)
        object.add("dryRun", isDryRun)
        object.add("sharedAlbums", sharedAlbums ?? false)
        object.add("proxies", proxies ?? false)
        var paths = JSONObject()
        for (name, path) in (volumes ?? [:]).sorted(by: { $0.key < $1.key }) {
            paths.add(name, path)
        }
        object.add("volumes", paths)
        return object
    }
}
