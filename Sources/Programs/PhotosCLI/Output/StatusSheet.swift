import Foundation
import PhotosManagement

/// The state of a library as text.
struct StatusSheet {
    private let report: LibraryReport
    private var rows = Columns()

    init(_ report: LibraryReport) {
        self.report = report
        addLibrary()
        addCounts()
        addSizes()
        addPendingWork()
        addLogReaders()
    }

    /// The complete text, without a trailing line break.
    var text: String { rows.lines().joined(separator: "\n") }

    private mutating func addLibrary() {
        rows.add(["Library", TerminalStyle.safe(report.path)])
        rows.add(["Identifier", report.libraryIdentifier])
        rows.add(["Format", "\(report.format), schema \(report.schemaVersion)"])
        rows.add(["Version", "\(report.version)"])
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
                "Earlier reader", "\(count); photos refresh --all reads their originals again",
            ])
        }
    }

    private mutating func addSizes() {
        let sizes = report.sizes
        rows.add(["Originals", SizeText.bytes(sizes.originals)])
        rows.add(["Edits", SizeText.bytes(sizes.edits)])
        rows.add(["Database", SizeText.bytes(sizes.database)])
        rows.add(["Log", SizeText.bytes(sizes.log)])
        rows.add(["Thumbnails", SizeText.bytes(sizes.renditions)])
    }

    /// Adds the counts of pending work that are not zero.
    private mutating func addPendingWork() {
        let pending = report.pending
        if pending.activeSessions > 0 {
            rows.add(["Running", Wording.count(pending.activeSessions, "staging session")])
        }
        if pending.interruptedSessions > 0 {
            let count = Wording.count(pending.interruptedSessions, "staging session")
            rows.add(["Interrupted", "\(count), which the next change clears"])
        }
        if pending.discardedFiles > 0 {
            let count = Wording.count(pending.discardedFiles, "file")
            rows.add(["To remove", "\(count) of purged assets"])
        }
        if pending.leftoverFiles > 0 {
            let count = Wording.count(pending.leftoverFiles, "file")
            rows.add(["Leftovers", "\(count) that a repair moved aside"])
        }
    }

    private mutating func addLogReaders() {
        for reader in report.logReaders {
            let name = TerminalStyle.safe(reader.program ?? "unknown program")
            rows.add([
                "Reading",
                "\(name) (process \(reader.processIdentifier)) blocks truncating the log",
            ])
        }
    }
}

extension LibraryReport {
    /// The library's folder as a path without a trailing slash.
    var path: String {
        let path = url.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
