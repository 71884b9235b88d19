package import CloudSync
internal import Foundation
internal import GRDB
internal import Glibc
internal import PhotoModel

/// Makes a downloaded file that of all resources with its content that have none.
///
///     staged ──sync──▶ links for further resources ──rename──▶ in place ──commit──▶ presence 0
///
/// 1. The files and their names are durable before the commit, as those of an import.
/// 2. A crash before the commit leaves files without a present row, which are in the intentions of
///    the staging session: recovery removes them, and another download replaces them.
/// 3. The version has an origin, so nothing is stamped, exported or undone.
struct ContentPlacement {
    private struct Place {
        var id: Int64
        var path: String
        var size: Int64
    }

    let transaction: LibraryTransaction
    let bundle: LibraryBundle
    let session: StagingSession

    /// Places a file.
    ///
    /// - Returns: The UUIDs of the assets whose file it became; empty if none lacks it any more.
    /// - Throws: `invalidResource` for a file of another size; the volume's error.
    func place(_ file: StagedFile, _ content: ContentID) throws -> [String] {
        let places = try places(of: content)
        guard !places.isEmpty else { return [] }
        if let wrong = places.first(where: { $0.size != file.size }) {
            throw LibraryError(
                .invalidResource,
                "A downloaded file is not the one of the library.",
                reason: "It has \(file.size) bytes instead of \(wrong.size).",
                recovery: "Run photos verify."
            )
        }
        var moves = [FilePlacement.Move(file: file, target: places[0].path)]
        for place in places.dropFirst() {
            moves.append(FilePlacement.Move(file: try link(file), target: place.path))
        }
        try FilePlacement.place(moves, root: bundle.root, session: session, in: transaction)
        return try transaction.noteArrival(ofFiles: places.map(\.id))
    }

    private func places(of content: ContentID) throws -> [Place] {
        try Row.fetchAll(
            transaction.database.cachedStatement(
                sql: """
                    SELECT id, path, size FROM resource WHERE sha256 = ? AND presence <> 0
                    ORDER BY id
                    """
            ),
            arguments: [content.data]
        ).map { Place(id: $0[0], path: $0[1], size: $0[2]) }
    }

    /// Creates a second name of a staged file in its folder.
    private func link(_ file: StagedFile) throws(LibraryError) -> StagedFile {
        do throws(SystemError) {
            let (path, _) = try session.createFile()
            let files = session.files
            transaction.onFailure { try? files.remove(path) }
            let root = bundle.root + "/"
            try FileLink(bundle: bundle, files: files).make(
                String(file.path.dropFirst(root.count)),
                to: String(path.dropFirst(root.count))
            )
            return StagedFile(
                path: path,
                descriptor: try files.open(path, O_RDONLY),
                size: file.size,
                digest: file.digest,
                files: files
            )
        } catch {
            throw error.libraryError("A file cannot be placed in \(bundle.root).")
        }
    }
}

extension LibraryTransaction {
    /// Records that a file is here that was only in the cloud; does nothing for other files.
    func noteArrival(ofFileAt path: String) throws {
        let id = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM resource WHERE path = ? AND presence <> 0"
            ),
            arguments: [path]
        )
        if let id { try noteArrival(ofFiles: [id]) }
    }

    /// Records that files of resources are here, and that the images of assets can be shown now
    /// whose files were never here.
    ///
    /// Files that were removed to free space left their renditions, which remain valid.
    ///
    /// - Returns: The UUIDs of the assets.
    @discardableResult
    func noteArrival(ofFiles resources: [Int64]) throws -> [String] {
        var assets: [Int64: String] = [:]
        var changed: Set<Int64> = []
        for id in resources {
            let wasRemoved = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT presence = 2 FROM resource WHERE id = ?"),
                arguments: [id]
            )
            try database.cachedStatement(sql: "UPDATE resource SET presence = 0 WHERE id = ?")
                .execute(arguments: [id])
            guard let resource = try resource(id: id), !changed.contains(resource.assetID),
                let asset = try asset(id: resource.assetID)
            else { continue }
            assets[asset.id] = asset.uuid
            if wasRemoved == true { continue }
            var shown = asset
            shown.contentVersion += 1
            try store(shown, over: asset, contentChanged: true)
            changed.insert(asset.id)
        }
        return assets.values.sorted()
    }
}

extension LibraryStore {
    /// The author of versions in which downloaded files arrived.
    private static let downloadAuthor = "cloud:download"

    /// Makes a downloaded file, whose SHA-256 the caller has verified, that of all resources with
    /// this content whose files are only in the cloud.
    ///
    /// The download is used up by the call, except if it throws `busy`: it can then be repeated.
    ///
    /// - Parameters:
    ///   - content: The SHA-256 of the file.
    ///   - download: The file, completely written.
    /// - Returns: The UUIDs of the assets whose file it became; empty if none lacks it any more.
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library,
    ///   `invalidResource` if the file has another size than the rows state, and the errors of
    ///   `write`.
    package func placeContent(
        _ content: ContentID,
        from download: StagedDownload
    ) throws -> [String] {
        var mayRepeat = true
        do {
            guard let device = try cloudMembership()?.device else { throw CloudExporter.notJoined }
            let file: StagedFile
            do throws(SystemError) {
                file = try download.staged(SHA256Digest(bytes: Array(content.data)))
                // Before the writer lock is acquired, which others wait for.
                try file.sync()
            } catch {
                mayRepeat = false
                throw error.libraryError("A file cannot be downloaded to \(bundle.root).")
            }
            let origin = RemoteOrigin(
                author: Self.downloadAuthor,
                device: device.hexadecimal,
                time: now,
                stamp: .zero
            )
            let assets = try write(author: origin.author, origin: origin) { transaction in
                mayRepeat = false
                return try ContentPlacement(
                    transaction: transaction,
                    bundle: bundle,
                    session: download.session
                ).place(file, content)
            }
            download.discard()
            return assets
        } catch let error as LibraryError where error.code == .busy && mayRepeat {
            throw error
        } catch {
            download.discard()
            throw error
        }
    }
}
