import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Reports the state of a library.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the library: versions, counts, disk usage, pending work.",
        discussion: """
            Works also for a library that does not open for writing, and changes nothing. Programs \
            that keep the database's write-ahead log from being truncated are listed with their \
            process identifiers: the log grows until they finish reading.

            EXAMPLES
              photos status
              photos status --json | jq .logBytes
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try LibraryReport(of: location.url)
        let text = output.json ? Self.json(report) : StatusSheet(report).text
        try StandardOutput.shared.write(text + "\n")
    }

    private static func json(_ report: LibraryReport) -> String {
        var object = JSONObject()
        object.add("path", report.path)
        object.add("libraryIdentifier", report.libraryIdentifier)
        object.add("format", report.format)
        object.add("schemaVersion", report.schemaVersion)
        object.add("version", report.version)
        object.add("readOnlyReason", report.readOnlyReason)
        object.add("missingVersion", report.missingVersion)
        object.add("assets", report.counts.assets)
        object.add("hidden", report.counts.hidden)
        object.add("deleted", report.counts.deleted)
        object.add("albums", report.counts.albums)
        object.add("folders", report.counts.folders)
        object.add("resources", report.counts.resources)
        object.add("assetsOfEarlierReaders", report.counts.assetsOfEarlierReaders)
        object.add("originalsBytes", report.sizes.originals)
        object.add("editsBytes", report.sizes.edits)
        object.add("databaseBytes", report.sizes.database)
        object.add("logBytes", report.sizes.log)
        object.add("renditionsBytes", report.sizes.renditions)
        object.add("activeSessions", report.pending.activeSessions)
        object.add("interruptedSessions", report.pending.interruptedSessions)
        object.add("discardedFiles", report.pending.discardedFiles)
        object.add("leftoverFiles", report.pending.leftoverFiles)
        object.add(
            "logReaders",
            report.logReaders.map { reader in
                var object = JSONObject()
                object.add("processIdentifier", Int(reader.processIdentifier))
                object.add("program", reader.program)
                return object
            }
        )
        return object.line
    }
}
