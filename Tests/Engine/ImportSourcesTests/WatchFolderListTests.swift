import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

@testable import ImportSources

/// The list of watch folders and the ledgers on disk.
@Suite(.timeLimit(.minutes(1))) struct WatchFolderListTests {
    private let folder: TemporaryFolder
    private let list: WatchFolderList

    init() throws {
        folder = try TemporaryFolder("photos-list")
        list = WatchFolderList(folder: folder.file("state").path)
    }

    private func add(_ path: String, to library: String) throws(LibraryError) {
        try list.change { libraries in
            libraries[library, default: WatchedLibrary(path: "/l")].folders.append(
                WatchFolder(path: path, album: nil, isMountPoint: false)
            )
        }
    }

    @Test func concurrentChangesAreAllKept() throws {
        let ended = Monitor(0)
        for thread in 0..<4 {
            let list = list
            #expect(
                NamedThread.start("test-list") {
                    for index in 0..<20 {
                        try? list.change { libraries in
                            libraries["L", default: WatchedLibrary(path: "/l")].folders.append(
                                WatchFolder(
                                    path: "/\(thread)/\(index)",
                                    album: nil,
                                    isMountPoint: false
                                )
                            )
                        }
                    }
                    ended.update { $0 += 1 }
                }
            )
        }
        _ = ended.wait(before: .now + .seconds(50)) { $0 == 4 ? true : nil }
        let folders = try #require(try list.libraries()["L"]).folders
        #expect(Set(folders.map(\.path)).count == 80)
        try list.update(folders[3].identifier, of: "L") { $0.imported = 7 }
        #expect(try list.libraries()["L"]?.folders[3].imported == 7)
        // A library without folders is not kept.
        try list.change { libraries in libraries["L"] = WatchedLibrary(path: "/l") }
        #expect(try list.libraries().isEmpty)
    }

    @Test(arguments: ["", "{", "[]", "{\"version\":2,\"libraries\":{}}", "{\"version\":1}"])
    func aDamagedListIsKept(_ text: String) throws {
        try add("/a", to: "L")
        try Data(text.utf8).write(to: URL(fileURLWithPath: list.file))
        let error = try #require(throws: LibraryError.self) { try list.libraries() }
        #expect(error.code == .corrupt && error.message.contains(list.file))
        #expect(throws: LibraryError.self) { try add("/b", to: "L") }
        #expect(try String(contentsOfFile: list.file, encoding: .utf8) == text)
    }

    @Test func theLedgerKnowsFilesUntilTheyChange() throws {
        let path = folder.file("ledger").path
        func file(_ name: String, size: Int64) -> SourceFile {
            SourceFile(
                path: Array(name.utf8),
                size: size,
                modificationTime: 5,
                statusChangeTime: 0,
                inode: 0,
                device: 0
            )
        }
        var ledger = WatchLedger(path: path)
        try ledger.add([(file("/a", size: 1), .done), (file("/b", size: 1), .failed)])
        // A crash cuts the last entry.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.close()
        var again = WatchLedger(path: path)
        #expect(again.contains(file("/a", size: 1)) && again.contains(file("/b", size: 1)))
        #expect(!again.contains(file("/a", size: 2)) && !again.contains(file("/c", size: 1)))
        #expect(again.failedCount == 1)
        try again.add([(file("/c", size: 1), .failed)])
        let last = WatchLedger(path: path)
        #expect(last.contains(file("/c", size: 1)) && last.failedCount == 2)
    }
}
