internal import Foundation
internal import GRDB
internal import Glibc
internal import LibraryService

/// Checks for files that no database row references, and reports them as leftovers, which are
/// harmless (invariant 2).
///
/// Each slice checks one folder while holding the writer lock, so that no writer is between moving
/// a file into the folder and committing its row. A repair moves leftovers to another folder and
/// never deletes them.
struct LeftoverCheck {
    private static let folders = 256

    let store: LibraryStore

    func slice(from position: Int64, repairs: Bool) throws -> Verifier.Slice {
        let index = Int(position)
        let mayRepair = repairs && store.readOnlyReason == nil
        var slice = Verifier.Slice()
        // A client can send any position.
        guard (0..<2 * Self.folders).contains(index) else { return slice }
        if index == 0 {
            if mayRepair {
                try store.clearDiscardedFiles()
                // After this, no row of a failed commit can reappear for a file that is moved
                // aside.
                try store.alone(StagingRecovery.resolve)
            }
            slice.findings += try staging(mayRepair: mayRepair)
            slice.findings += try store.withoutWriters {
                ["originals", "edits"].flatMap { strays(in: $0, mayRepair: mayRepair) }
            }
        }
        let digits = String(index % Self.folders, radix: 16)
        let area = index < Self.folders ? "originals" : "edits"
        let folder = "\(area)/\(digits.count == 1 ? "0" : "")\(digits)"
        slice.findings += try leftovers(in: folder, mayRepair: mayRepair)
        slice.next = index + 1 < 2 * Self.folders ? position + 1 : nil
        slice.progress = Double(index + 1) / Double(2 * Self.folders)
        return slice
    }

    private func leftovers(in folder: String, mayRepair: Bool) throws -> [Finding] {
        let path = store.bundle.absolutePath(of: folder)
        guard case .success(let all) = FileSystem.entries(of: path), !all.isEmpty else { return [] }
        return try store.readAlone { database in
            guard case .success(let names) = FileSystem.entries(of: path) else { return [] }
            let sql = """
                SELECT path FROM resource WHERE path >= ?1 AND path < ?2
                UNION SELECT path FROM formerFile WHERE path >= ?1 AND path < ?2
                """
            let named = try Set(
                String.fetchAll(database, sql: sql, arguments: [folder + "/", folder + "0"])
            )
            let paths = names.sorted().map { "\(folder)/\($0)" }.filter { !named.contains($0) }
            return try paths.map { path in
                try isDiscarded(path, database)
                    ? discarded(path) : leftover(path, mayRepair: mayRepair)
            }
        }
    }

    private func isDiscarded(_ path: String, _ database: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM discardedFile WHERE path = ?)"
        return try Bool.fetchOne(database, sql: sql, arguments: [path]) ?? false
    }

    /// Returns the finding for a file that still exists although its asset was permanently deleted.
    ///
    /// Such a file is not moved to the leftovers, since it could be imported again from there.
    private func discarded(_ relativePath: String) -> Finding {
        Finding(
            .note,
            kind: "discardedFile",
            message: "The file \(relativePath) was permanently deleted, but still exists.",
            advice:
                "The next change of the library or photos verify --repair removes it.",
            path: store.bundle.absolutePath(of: relativePath)
        )
    }

    /// Finds entries of `originals/` or `edits/` that are not folders of the form that imports
    /// create.
    private func strays(in area: String, mayRepair: Bool) -> [Finding] {
        let path = store.bundle.absolutePath(of: area)
        guard case .success(let names) = FileSystem.entries(of: path) else { return [] }
        return names.sorted().filter { name in
            let isOurs = name.utf8.count == 2 && name.utf8.allSatisfy(Self.isDigit)
            guard isOurs, case .success(let status) = FileSystem.status(of: "\(path)/\(name)")
            else {
                return true
            }
            return !FileSystem.isFolder(status)
        }.map { leftover("\(area)/\($0)", mayRepair: mayRepair) }
    }

    /// Indicates whether a character is a lowercase hexadecimal digit, as in the folders' names.
    private static func isDigit(_ character: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(character)
    }

    private func leftover(_ relativePath: String, mayRepair: Bool) -> Finding {
        let path = store.bundle.absolutePath(of: relativePath)
        let place = store.bundle.leftovers + "/" + relativePath
        let isRepaired = mayRepair && move(path, to: place)
        return Finding(
            .note,
            kind: "leftoverFile",
            message: "No asset uses \(relativePath).",
            advice: isRepaired
                ? "It was moved to \(place). Import it from there, or delete it."
                : "It was left by a crash or added manually. Run photos verify --repair to move"
                    + " it aside.",
            path: isRepaired ? place : path,
            isRepaired: isRepaired
        )
    }

    private func move(_ path: String, to place: String) -> Bool {
        let folder = (place as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return access(place, F_OK) != 0 && rename(path, place) == 0
    }

    /// Finds the staging folders of imports that crashed.
    ///
    /// A repair removes them, as does the next writer.
    private func staging(mayRepair: Bool) throws -> [Finding] {
        let before = StagingRecovery.deadSessions(of: store.bundle)
        guard !before.isEmpty else { return [] }
        if mayRepair { try store.clearStaging() }
        let after = mayRepair ? StagingRecovery.deadSessions(of: store.bundle) : before
        return before.sorted().map { name in
            let isRepaired = !after.contains(name)
            return Finding(
                .note,
                kind: "leftoverImport",
                message: "An import was interrupted and left staging/\(name).",
                advice: isRepaired
                    ? "It was removed."
                    : "The next import or photos verify --repair removes it.",
                path: store.bundle.staging + "/" + name,
                isRepaired: isRepaired
            )
        }
    }
}
