import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// The history as every program can read it.
@Suite(.timeLimit(.minutes(2))) struct LibraryHistoryTests: ~Copyable {
    let folder: URL
    let library: PhotoLibraryBundle

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("A.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        library = try PhotoLibraryBundle.open(at: url)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Creates an album.
    ///
    /// - Returns: Its identifier.
    @discardableResult
    private func makeAlbum(_ title: String) throws -> String {
        var identifier = ""
        try library.using {
            try PHPhotoLibrary.shared().performChangesAndWait {
                identifier =
                    PHAssetCollectionChangeRequest
                    .creationRequestForAssetCollection(withTitle: title)
                    .placeholderForCreatedAssetCollection.localIdentifier
            }
        }
        return identifier
    }

    @Test func transactionsAreTold() throws {
        let start = try library.historyToken
        #expect(try library.history(since: start).isEmpty)
        let first = try makeAlbum("A")
        let middle = try library.historyToken
        let second = try makeAlbum("B")
        let entries = try library.history(since: start)
        #expect(entries.map(\.changes.count) == [1, 1])
        #expect(entries.flatMap(\.changes).map(\.localIdentifier) == [first, second])
        for entry in entries {
            #expect(entry.changes.first?.kind == .inserted)
            #expect(entry.changes.first?.object == .album)
            #expect(!entry.author.isEmpty)
            #expect(abs(entry.date.timeIntervalSinceNow) < 600)
            #expect(entry.undoneVersion == nil)
        }
        #expect(entries[0].previousToken == start)
        #expect(entries[0].token == middle)
        #expect(try library.history(since: start, limit: 1) == [entries[0]])
        #expect(try library.history(since: middle) == [entries[1]])
        #expect(try library.latestHistory(limit: 1) == [entries[1]])
        #expect(try library.latestHistory(limit: 1000) == library.history())
    }

    @Test func undoAndRedoReturnTheirVersions() throws {
        try makeAlbum("A")
        let first = try library.version
        let undo = try library.commitUndo(ifVersionIs: first)
        #expect(undo.version == first + 1)
        #expect(undo.entries.map(\.version) == [first])
        let redo = try library.commitRedo(ifVersionIs: undo.version)
        #expect(redo.version == first + 2)
        #expect(try library.latestHistory(limit: 2).map(\.version) == [undo.version, redo.version])
        // Another change is not a part of either.
        try makeAlbum("B")
        #expect(throws: PHPhotosError.self) { try library.commitUndo(ifVersionIs: redo.version) }
        #expect(try library.version == first + 3)
    }

    @Test func undoAndRedoOfAnotherChangeAreRefused() throws {
        try makeAlbum("A")
        let first = try library.version
        try makeAlbum("B")
        let second = first + 1
        #expect(throws: PHPhotosError.self) { try library.commitUndo(of: first) }
        let undo = try library.commitUndo(of: second, ifVersionIs: second)
        #expect(throws: PHPhotosError.self) { try library.commitUndo(of: second) }
        #expect(throws: PHPhotosError.self) { try library.commitUndo(of: undo.version) }
        #expect(throws: PHPhotosError.self) { try library.commitRedo(of: second) }
        #expect(try library.version == undo.version)
        let earlier = try library.commitUndo(of: first, ifVersionIs: undo.version)
        #expect(earlier.entries.map(\.version) == [first])
        #expect(throws: PHPhotosError.self) { try library.commitRedo(of: undo.version) }
        _ = try library.commitRedo(of: earlier.version, ifVersionIs: earlier.version)
        let redo = try library.commitRedo(of: undo.version)
        // A redo is undone by its own version.
        #expect(throws: PHPhotosError.self) { try library.commitUndo(of: second) }
        #expect(try library.commitUndo(of: redo.version).entries.map(\.version) == [redo.version])
    }

    @Test func tokensAreText() throws {
        try makeAlbum("A")
        let token = try library.historyToken
        #expect(HistoryToken(token.description) == token)
        #expect(HistoryToken(token.description.lowercased()) == token)
        let data = try JSONEncoder().encode([token])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(token)\"]")
        #expect(try JSONDecoder().decode([HistoryToken].self, from: data) == [token])
        #expect(try library.historyToken(at: token.version) == token)
        for text in [
            "", ":", "A:", ":1", "A:-1", "A:+1", "A:1:", "A:1:x", "A:1:-2", "A:1:2:3",
            "A:1:11112222333344445", "A:x", "7",
        ] {
            #expect(HistoryToken(text) == nil, "\(text)")
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([HistoryToken].self, from: Data("[\"x\"]".utf8))
        }
    }

    @Test func tokensThatOlderVersionsWroteAreRead() throws {
        try makeAlbum("A")
        let token = try library.historyToken
        let second = try makeAlbum("B")
        let old = try #require(HistoryToken("\(token.libraryIdentifier):\(token.version)"))
        #expect(old.description == "\(token.libraryIdentifier):\(token.version)")
        let changes = try library.history(since: old).flatMap(\.changes)
        #expect(changes.map(\.localIdentifier) == [second])
        #expect(try library.history(since: token) == library.history(since: old))
    }

    @Test func tokensOfAnotherPastHaveExpired() throws {
        try makeAlbum("A")
        let token = try library.historyToken
        try makeAlbum("B")
        let text = "\(token.libraryIdentifier):\(token.version)"
        for number in [token.version, token.version + 1] {
            let other = try #require(HistoryToken("\(token.libraryIdentifier):\(number):1F"))
            #expect {
                try library.history(since: other)
            } throws: { error in
                let failure = LibraryFailure(error)
                return failure.kind == .historyExpired
                    && failure.reason?.contains("restored to an older state") == true
                    && failure.recovery != nil
            }
            #expect(throws: PHPhotosError.self) {
                var told: [HistoryEntry] = []
                told += try library.followHistory(since: other).next() ?? []
            }
        }
        #expect(try library.historyToken(at: token.version).description.hasPrefix(text + ":"))
    }

    @Test func tokensThatDoNotFitHaveExpired() throws {
        let url = folder.appendingPathComponent("B.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        let foreign = try PhotoLibraryBundle.open(at: url).historyToken
        let future = try library.historyToken(at: 1000)
        for token in [foreign, future] {
            #expect {
                try library.history(since: token)
            } throws: { error in
                let failure = LibraryFailure(error)
                return failure.kind == .historyExpired && failure.message.contains("\(token)")
                    && failure.reason != nil && failure.recovery != nil
                    && (error as? PHPhotosError)?.code == .persistentChangeTokenExpired
            }
            #expect(throws: PHPhotosError.self) { try library.followHistory(since: token) }
        }
    }

    @Test func theHorizonIsKept() throws {
        #expect(try library.historyHorizon.days == 90)
        #expect(try library.keepHistory(days: 30).days == 30)
        let again = try PhotoLibraryBundle.open(at: library.url)
        #expect(try again.historyHorizon.days == 30)
        #expect(throws: PHPhotosError.self) { try library.keepHistory(days: 0) }
        #expect(try library.historyHorizon.days == 30)
    }

    /// Another connection to the library writes, as another process does.
    @Test func followersHearOfEverythingOnce() throws {
        let follower = try library.followHistory()
        let start = try library.historyToken
        let other = try PhotoLibraryBundle.open(at: library.url)
        let heard = Mutex<[HistoryEntry]>([])
        let (hasHeardAll, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            while let entries = try? follower.next() {
                let count = heard.withLock { heard in
                    heard += entries
                    return heard.count
                }
                if count >= 20 { hasHeardAll.signal() }
            }
            hasEnded.signal()
        }
        try other.using {
            for number in 0..<20 {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    _ =
                        PHAssetCollectionChangeRequest
                        .creationRequestForAssetCollection(withTitle: "\(number)")
                }
            }
        }
        #expect(hasHeardAll.wait(timeout: .now() + 30) == .success)
        follower.stop()
        #expect(hasEnded.wait(timeout: .now() + 30) == .success)
        #expect(heard.withLock { $0 } == (try library.history(since: start)))
        #expect(try follower.next() == nil)
    }

    @Test func stoppingEndsTheWaitAtOnce() throws {
        let follower = try library.followHistory()
        let hasEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? follower.next()
            hasEnded.signal()
        }
        follower.stop()
        follower.stop()
        #expect(hasEnded.wait(timeout: .now() + 10) == .success)
    }
}
