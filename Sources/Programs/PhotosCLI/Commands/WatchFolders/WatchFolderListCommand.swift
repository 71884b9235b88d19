import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Lists the watch folders.
struct WatchFolderListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the watch folders.",
        discussion: """
            Each JSON object has the keys path, album, albumDeleted, state, imported, failed (files \
            that could not be imported; they are tried again after they change) and lastImport.

            The state is watching if all files were dealt with, scanning while files are looked \
            for or imported or a part of the folder cannot be read, missing if the folder or its \
            volume is not there, or paused if nothing is imported at present: no daemon runs, its \
            background work pauses, or the library cannot be opened or changed.

            EXAMPLES
              photos watch-folder list
              photos watch-folder list --json | jq -r 'select(.failed > 0).path'
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let folders = try WatchFolders(of: location.url).folders()
        guard !output.json else {
            for folder in folders {
                try StandardOutput.shared.write(Self.object(folder).line + "\n")
            }
            return
        }
        var rows = Columns()
        for folder in folders { rows.add(Self.row(folder)) }
        for line in rows.lines() { try StandardOutput.shared.write(line + "\n") }
    }

    private static func row(_ folder: WatchFolders.Folder) -> [String] {
        var row = [TerminalStyle.safe(folder.path), folder.state.rawValue]
        var counts = "\(folder.importedCount) imported"
        if folder.failedCount > 0 { counts += ", \(folder.failedCount) failed" }
        if let date = folder.lastImport { counts += ", last \(LocalTime.zoned(date))" }
        row.append(counts)
        if let album = folder.album {
            let note = folder.isAlbumDeleted ? " (deleted; imports continue without an album)" : ""
            row.append("album \(TerminalStyle.safe(album))\(note)")
        }
        return row
    }

    private static func object(_ folder: WatchFolders.Folder) -> JSONObject {
        var object = JSONObject()
        object.add("path", folder.path)
        object.add("album", folder.album)
        object.add("albumDeleted", folder.isAlbumDeleted)
        object.add("state", folder.state.rawValue)
        object.add("imported", folder.importedCount)
        object.add("failed", folder.failedCount)
        object.add("lastImport", folder.lastImport)
        return object
    }
}
