import Foundation
import Photos

/// A walk through a photo library: permission, a grid, an album, an edit, and back.
///
/// Nothing here is made for Linux. Every step checks what it got, and the first that is not as it has to
/// be ends the program with a line about it.
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
        else { throw Failure("no photo of the library is in colour and can be edited") }
        let asset = cell.asset

        let watcher = LibraryWatcher(photos: grid.photos)
        defer { watcher.stop() }

        let album = try await AlbumMaker(watcher: watcher).makeAlbum(with: asset)
        print("album: “\(album.localizedTitle ?? "")” and a favourite, in one change")

        let editor = NoirEditor(watcher: watcher)
        let before = try await ResourceReader.current(of: asset)
        let original = try await ResourceReader.original(of: asset)
        let edited = try await editor.apply(to: asset)
        print("edit: Noir, saved as version \(NoirEditor.formatVersion) of \(NoirEditor.format)")
        try await editor.check(edited, original: original)
        print("versions: the current one is grey, the unadjusted one still in colour")

        let reverted = try await editor.revert(edited)
        let after = try await ResourceReader.current(of: reverted)
        try expect(before == after, "after the revert the photo's file is not what it was")
        let originalAfter = try await ResourceReader.original(of: reverted)
        try expect(original == originalAfter, "the original's file has changed")
        try ResourceReader.keep(["original": original, "reverted": after])
        print("revert: the same \(after.count) bytes as before the edit")

        print("observer: \(watcher.callCount) changes, every index right")
        try await AlbumMaker(watcher: watcher).remove(album)
        print("All well.")
    }
}

/// What was not as it has to be.
struct Failure: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// Ends the walk when something is not as it has to be.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw Failure(message()) }
}
