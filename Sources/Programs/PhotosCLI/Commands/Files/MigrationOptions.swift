import ArgumentParser
import Foundation
import PhotosManagement

/// The options for importing libraries of other programs.
struct MigrationOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Report what an import would do; change nothing.",
            discussion:
                "Files and Google Takeout exports are read as by a real import. Of a library of"
                + " Apple Photos or iPhoto only the database is read, of an export of a library only"
                + " its list, and of a camera or phone the names, sizes and times of its files."
        )
    )
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Write a report to this file, a JSON object per line.",
            discussion:
                "Sources, items and totals. Until the import is over, the file is named"
                + " FILE.partial.",
            valueName: "file"
        ),
        completion: .file()
    )
    var report: String?

    @Flag(help: "Import shared albums too, which are reduced copies of other people's photos.")
    var sharedAlbums = false

    @Flag(
        help: "Import a smaller version of each original that is not there, until it is imported."
    )
    var proxies = false

    @Option(
        help: ArgumentHelp(
            "The folder with the files of a volume that held originals; repeatable.",
            valueName: "name=path"
        )
    )
    var volume: [String] = []

    /// The first given option that only applies to libraries of Apple Photos and iPhoto; nil if
    /// none was given.
    var optionForLibraries: String? {
        if sharedAlbums { return "--shared-albums" }
        if proxies { return "--proxies" }
        return volume.isEmpty ? nil : "--volume"
    }

    /// Returns the folder that contains the files of each volume, by volume name, as given with
    /// `--volume`.
    func volumes() throws -> [String: SourcePath] {
        var result: [String: SourcePath] = [:]
        for text in volume {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex,
                text.index(after: equals) != text.endIndex
            else {
                throw ValidationError(
                    "--volume \(text) does not have the form NAME=PATH, such as"
                        + " --volume \"Photo Disk=/media/disk\"."
                )
            }
            let name = String(text[..<equals])
            guard result[name] == nil else {
                throw ValidationError("--volume names \(name) twice.")
            }
            // The original bytes, which need not be text.
            let path = RawArguments.path(text).bytes.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            result[name] = SourcePath(bytes: Array(path)).absolute()
        }
        return result
    }

    func validate() throws {
        _ = try volumes()
        if report?.isEmpty == true { throw ValidationError("--report requires a path.") }
        if let report { try TextPath.check(report) }
    }
}
