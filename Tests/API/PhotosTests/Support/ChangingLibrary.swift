import Foundation
import Photos
import PhotosManagement

/// A separate library for a test that changes it: assets without files, written by SQLite's tool.
///
/// Asset `i` was taken `i` days after the epoch; every fifth is a movie.
final class ChangingLibrary: Sendable {
    let bundle: PhotoLibraryBundle
    let url: URL
    private let folder: Folder

    init(assets: Int = 50) throws {
        folder = try Folder()
        // The list of known libraries belongs to the user; tests keep their own.
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        setenv("PHOTOS_WORKER", Tool.executable("photos-worker"), 1)
        url = folder.file("Changing.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        let database = url.appendingPathComponent("database/library.sqlite").path
        _ = try Tool.run(
            "sqlite3",
            ["-cmd", ".timeout 20000", database],
            input: """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(assets))
                INSERT INTO asset (uuid, mediaType, mediaSubtypes, playbackStyle, sourceType,
                    pixelWidth, pixelHeight, duration, creationDate, modificationDate, addedDate,
                    isFavorite, isHidden, burstSelectionTypes, representsBurst, isBurstHidden,
                    hasAdjustments, originalFilename, contentType, keywords, rating,
                    contentVersion, isVisible)
                SELECT printf('%08X-0000-4000-8000-%012d', i * 7919, i), 1 + (i % 5 = 0), 0, 1, 1,
                    4032, 3024, 0, \(RowsLibrary.epoch) + i * 86400,
                    \(RowsLibrary.epoch) + i * 86400, \(RowsLibrary.epoch) + i, 0, 0, 0, 0, 0, 0,
                    printf('IMG_%04d.JPG', i), 'public.jpeg', '[]', 0, 1, 1
                FROM n;
                """
        )
        bundle = try PhotoLibraryBundle.open(at: url)
    }

    var photos: PHPhotoLibrary { bundle.using { PHPhotoLibrary.shared() } }

    /// Fetches assets of this library.
    func assets(_ configure: (PHFetchOptions) -> Void = { _ in }) -> PHFetchResult<PHAsset> {
        let options = PHFetchOptions()
        configure(options)
        return bundle.using { PHAsset.fetchAssets(with: options) }
    }

    /// Fetches all albums.
    func albums(
        _ configure: (PHFetchOptions) -> Void = { _ in }
    ) -> PHFetchResult<PHAssetCollection> {
        let options = PHFetchOptions()
        configure(options)
        return bundle.using {
            PHAssetCollection.fetchAssetCollections(
                with: .album,
                subtype: .albumRegular,
                options: options
            )
        }
    }

    /// Fetches the assets of an album, in its own order.
    func members(
        of album: PHAssetCollection,
        _ options: PHFetchOptions? = nil
    ) -> PHFetchResult<PHAsset> {
        bundle.using { PHAsset.fetchAssets(in: album, options: options) }
    }

    /// Changes this library, as one transaction.
    func change(_ body: @escaping () -> Void) throws {
        try photos.performChangesAndWait(body)
    }

    /// Creates an album with some assets.
    func addAlbum(_ title: String, _ members: [PHAsset] = []) throws -> PHAssetCollection {
        let identifier = Box<String>()
        try change {
            let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                withTitle: title
            )
            request.addAssets(members as NSArray)
            identifier.value = request.placeholderForCreatedAssetCollection.localIdentifier
        }
        let found = bundle.using {
            PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [identifier.value].compactMap(\.self),
                options: nil
            )
        }
        guard let album = found.firstObject else {
            throw Tool.Failure(description: "The album \(title) is not there.")
        }
        return album
    }

    /// Starts the tests' client in a separate process.
    func client(_ mode: String, _ arguments: String...) throws -> Client {
        try Client([mode, url.path] + arguments)
    }
}

/// Holds a value for a closure.
final class Box<Value>: @unchecked Sendable {
    // Used by one thread at a time.
    var value: Value?
}

/// A running `observing-client`.
final class Client {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: Tool.executable("observing-client"))
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        // The client ends with its input, even if the thread that started it had blocked signals.
        try? input.fileHandleForWriting.close()
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    /// Returns the next line that it prints, or nil after its end.
    func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                let line = rest[rest.startIndex..<end]
                rest = rest[(end + 1)...]
                return String(decoding: line, as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest.append(more)
        }
    }

    /// Sends a line.
    func send(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Closes its input and waits.
    ///
    /// - Returns: The remaining lines, and the status.
    func finish() -> (lines: [String], status: Int32) {
        try? input.fileHandleForWriting.close()
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        return (lines, process.terminationStatus)
    }
}
