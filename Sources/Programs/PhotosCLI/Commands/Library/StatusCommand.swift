import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Reports the state of a library.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the library: versions, counts, disk usage, pending work.",
        discussion: """
            Works also for a library that does not open for writing and while others write, and \
            changes nothing. Programs that have the library open are listed with their process \
            identifiers and workers, as is the one that is writing. Programs that keep the database's \
            write-ahead log from being truncated are named, too: the log grows until they finish \
            reading. What a program has in memory is not visible from outside.

            The sizes of originals and edits need a look at every file. They are left out (null in \
            JSON) when that takes more than a quarter of a second, unless --sizes is given. The last \
            check is that of photos verify; photos renditions status counts the thumbnails.

            The JSON object has the keys path, libraryIdentifier, format, schemaVersion, version, \
            readOnlyReason, missingVersion, assets, hidden, deleted, albums, folders, resources, \
            assetsOfEarlierReaders, originalsBytes, editsBytes, databaseBytes, logBytes, \
            renditionsBytes, activeSessions, interruptedSessions, discardedFiles, leftoverFiles, \
            logReaders (processIdentifier, program), softwareVersion, readerVersion, readers \
            (readerVersion, assets), programs (processIdentifier, program, workers), writer \
            (processIdentifier, program), lastCheck (date, version, full, repair, damages, \
            repaired, notes) and scrub, the files that the daemon reads again (date, damagedFiles).

            EXAMPLES
              photos status
              photos status --sizes
              photos status --json | jq .logBytes
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Measure the originals and edits, however long it takes.")
    var sizes = false

    func run() throws {
        let report = try LibraryReport(of: location.url, waitsForSizes: sizes)
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
            report.logReaders.map(json)
        )
        object.add("softwareVersion", SoftwareVersion.current)
        object.add("readerVersion", report.readerVersion)
        object.add(
            "readers",
            report.readers.map { reader in
                var object = JSONObject()
                object.add("readerVersion", reader.readerVersion)
                object.add("assets", reader.assets)
                return object
            }
        )
        object.add(
            "programs",
            report.programs.map { program in
                var object = JSONObject()
                object.add("processIdentifier", Int(program.processIdentifier))
                object.add("program", program.program)
                object.add("workers", program.workers)
                return object
            }
        )
        object.add("writer", report.writer.map(json))
        object.add("lastCheck", report.lastCheck.map(json))
        object.add("scrub", report.scrub.map(json))
        return object.line
    }

    private static func json(_ process: LibraryReport.LogReader) -> JSONObject {
        var object = JSONObject()
        object.add("processIdentifier", Int(process.processIdentifier))
        object.add("program", process.program)
        return object
    }

    private static func json(_ scrub: LibraryReport.Scrub) -> JSONObject {
        var object = JSONObject()
        object.add("date", scrub.date)
        object.add("damagedFiles", scrub.damagedFiles)
        return object
    }

    private static func json(_ check: LibraryCheck.Record) -> JSONObject {
        var object = JSONObject()
        object.add("date", check.date)
        object.add("version", check.version)
        object.add("full", check.readsEverything)
        object.add("repair", check.repairs)
        object.add("damages", check.summary.damages)
        object.add("repaired", check.summary.repaired)
        object.add("notes", check.summary.notes)
        return object
    }
}
