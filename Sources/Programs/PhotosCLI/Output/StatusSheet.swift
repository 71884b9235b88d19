import Foundation
import PhotosManagement

/// Formats the state of a library as text.
struct StatusSheet {
    private let report: LibraryReport
    private var rows = Columns()

    init(_ report: LibraryReport) {
        self.report = report
        addLibrary()
        addCounts()
        addSizes()
        addPendingWork()
        addProcesses()
        addLastCheck()
        addScrub()
    }

    /// The complete text, without a trailing line break.
    var text: String { rows.lines().joined(separator: "\n") }

    private mutating func addLibrary() {
        rows.add(["Library", TerminalStyle.safe(report.path)])
        rows.add(["Identifier", report.libraryIdentifier])
        rows.add(["Format", "\(report.format), schema \(report.schemaVersion)"])
        rows.add(["Version", "\(report.version)"])
        rows.add(["Software", "\(SoftwareVersion.current), reader \(report.readerVersion)"])
        if let reason = report.readOnlyReason {
            rows.add(["Read-only", TerminalStyle.safe(reason)])
        }
        if report.missingVersion != nil {
            rows.add([
                "",
                "Put the file back, or accept the older state with photos verify --repair.",
            ])
        }
    }

    private mutating func addCounts() {
        let counts = report.counts
        rows.add(["Assets", "\(counts.assets)"])
        rows.add(["Hidden", "\(counts.hidden)"])
        rows.add(["Deleted", "\(counts.deleted)"])
        rows.add(["Albums", "\(counts.albums)"])
        rows.add(["Folders", "\(counts.folders)"])
        rows.add(["Files", "\(counts.resources)"])
        if counts.assetsOfEarlierReaders > 0 {
            let count = Wording.count(counts.assetsOfEarlierReaders, "asset")
            rows.add([
                "Outdated", "\(count) read by an earlier version; run photos refresh --all",
            ])
        }
    }

    private mutating func addSizes() {
        let sizes = report.sizes
        let unmeasured = "photos status --sizes measures them"
        rows.add(["Originals", sizes.originals.map(SizeText.bytes) ?? unmeasured])
        rows.add(["Edits", sizes.edits.map(SizeText.bytes) ?? unmeasured])
        rows.add(["Database", SizeText.bytes(sizes.database)])
        rows.add(["Log", SizeText.bytes(sizes.log)])
        rows.add(["Thumbnails", SizeText.bytes(sizes.renditions)])
    }

    /// Adds the nonzero counts of pending work.
    private mutating func addPendingWork() {
        let pending = report.pending
        if pending.activeSessions > 0 {
            rows.add(["Running", Wording.count(pending.activeSessions, "staging session")])
        }
        if pending.interruptedSessions > 0 {
            let count = Wording.count(pending.interruptedSessions, "staging session")
            rows.add(["Interrupted", "\(count), cleaned up by the next change"])
        }
        if pending.discardedFiles > 0 {
            let count = Wording.count(pending.discardedFiles, "file")
            rows.add(["To remove", "\(count) of permanently deleted assets"])
        }
        if pending.leftoverFiles > 0 {
            let count = Wording.count(pending.leftoverFiles, "file")
            rows.add(["Leftovers", "\(count) that a repair moved aside"])
        }
    }

    private mutating func addProcesses() {
        for program in report.programs {
            let name = Self.name(program.program, program.processIdentifier)
            let workers =
                program.workers > 0 ? ", with \(Wording.count(program.workers, "worker"))" : ""
            rows.add(["Open in", name + workers])
        }
        if let writer = report.writer {
            rows.add(["Writing", Self.name(writer.program, writer.processIdentifier)])
        }
        for reader in report.logReaders {
            let name = Self.name(reader.program, reader.processIdentifier)
            rows.add(["Reading", "\(name) blocks truncating the log"])
        }
    }

    private static func name(_ program: String?, _ process: Int32) -> String {
        "\(TerminalStyle.safe(program ?? "unknown program")) (process \(process))"
    }

    private mutating func addScrub() {
        guard let scrub = report.scrub else { return }
        guard !scrub.damagedFiles.isEmpty else {
            return rows.add(["Last sample", "\(LocalTime.zoned(scrub.date)), whole"])
        }
        let count = Wording.count(scrub.damagedFiles.count, "damaged file")
        rows.add([
            "Last sample", "\(LocalTime.zoned(scrub.date)), \(count); run photos verify --full",
        ])
        for path in scrub.damagedFiles.prefix(3) { rows.add(["", TerminalStyle.safe(path)]) }
    }

    private mutating func addLastCheck() {
        guard let check = report.lastCheck else {
            rows.add(["Last check", "never; photos verify checks the library"])
            return
        }
        var text = LocalTime.zoned(check.date)
        if check.readsEverything { text += ", in full" }
        let summary = check.summary
        let counts = [
            (summary.damages, "damaged"), (summary.repaired, "repaired"), (summary.notes, "noted"),
        ]
        let found = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        rows.add([
            "Last check", ([text] + (found.isEmpty ? ["whole"] : found)).joined(separator: ", "),
        ])
    }
}

extension LibraryReport {
    /// The library's folder as a path without a trailing slash.
    var path: String {
        let path = url.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
