import Foundation
import Photos

/// A tour of PhotoKit: permission, a grid, an album, an edit and its revert.
///
/// None of the code is specific to Linux. Every step checks its results, and the first failure ends the
/// program with a message.
@main
struct PhotoWalk {
    static func main() async {
        do {
            try await walk()
        } catch let failure as Failure {
            print("FAILED: \(failure.message)")
            exit(1)
        } catch {
            print("FAILED: \(error.localizedDescription) (\(error))")
            exit(1)
        }
    }

    static func walk() async throws {
        try await Permission.ask()

        let grid = await PhotoGrid()
        let cells = try await grid.fill()
        print("grid: \(cells.count) cells of exactly 200 × 200 pixels")
        guard let cell = cells.first(where: { $0.isVivid && $0.asset.canPerform(.content) })
        else { throw Failure("the library has no editable photo with colors") }
        let asset = cell.asset

        let watcher = LibraryWatcher(photos: grid.photos)
        defer { watcher.stop() }

        let album = try await AlbumMaker(watcher: watcher).makeAlbum(with: asset)
        print("album: “\(album.localizedTitle ?? "")” and a favorite, in one change")

        let editor = NoirEditor(watcher: watcher)
        let before = try await ResourceReader.current(of: asset)
        let original = try await ResourceReader.original(of: asset)
        let edited = try await editor.apply(to: asset)
        print("edit: Noir, saved as version \(NoirEditor.formatVersion) of \(NoirEditor.format)")
        try await editor.check(edited, original: original)
        print("versions: the current one is gray, the unadjusted one still has colors")

        let reverted = try await editor.revert(edited)
        let after = try await ResourceReader.current(of: reverted)
        try expect(before == after, "the photo's file differs after the revert")
        let originalAfter = try await ResourceReader.original(of: reverted)
        try expect(original == originalAfter, "the original's file has changed")
        try ResourceReader.keep(["original": original, "reverted": after])
        print("revert: the same \(after.count) bytes as before the edit")

        print("observer: \(watcher.callCount) changes, all indexes correct")
        try await AlbumMaker(watcher: watcher).remove(album)
        print("All checks passed.")
    }
}

/// The message of a failed check.
struct Failure: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// Throws a failure if a condition is not met.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw Failure(message()) }
}
