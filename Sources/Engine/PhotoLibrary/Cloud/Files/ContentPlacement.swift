package import CloudSync
internal import Foundation
internal import GRDB
internal import Glibc
package import PhotoModel

/// Places downloaded files in the library, each of them for all resources with its content but no
/// local file.
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

    /// Places files in the library.
    ///
    /// - Returns: For each file, the UUIDs of the assets whose file it became, which is none if
    ///   none lacks it any more; or `invalidResource` for a file of another size.
    /// - Throws: The volume's error; none of the files is then in place.
    func place(
        _ files: [(file: StagedFile, content: ContentID)]
    ) throws -> [Result<[String], LibraryError>] {
        var moves: [FilePlacement.Move] = []
        var arrivals: [Result<[Int64], LibraryError>] = []
        var taken: Set<Int64> = []
        for (file, content) in files {
            let places = try places(of: content).filter { !taken.contains($0.id) }
            if let wrong = places.first(where: { $0.size != file.size }) {
                arrivals.append(.failure(Self.otherSize(file.size, than: wrong.size)))
                continue
            }
            for (index, place) in places.enumerated() {
                let copy = index == 0 ? file : try link(file)
                moves.append(FilePlacement.Move(file: copy, target: place.path))
            }
            let ids = places.map(\.id)
            taken.formUnion(ids)
            arrivals.append(.success(ids))
        }
        try FilePlacement.place(moves, root: bundle.root, session: session, in: transaction)
        return try arrivals.map { arrival in
            switch arrival {
            case .success(let ids): .success(try transaction.noteArrival(ofFiles: ids))
            case .failure(let error): .failure(error)
            }
        }
    }

    private static func otherSize(_ size: Int64, than other: Int64) -> LibraryError {
        LibraryError(
            .invalidResource,
            "A downloaded file is not the one of the library.",
            reason: "It has \(size) bytes instead of \(other).",
            recovery: "Run photos verify."
        )
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

    /// Creates, in the staging folder, a second file with the content of a staged file.
    ///
    /// The second file is a hard link where the volume has them, else a copy.
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
    /// Records that a file which was only in the cloud is now stored locally.
    ///
    /// Does nothing for other files.
    func noteArrival(ofFileAt path: String) throws {
        let id = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM resource WHERE path = ? AND presence <> 0"
            ),
            arguments: [path]
        )
        if let id { try noteArrival(ofFiles: [id]) }
    }

    /// Records that the files of resources are now stored locally.
    ///
    /// Assets whose files were never stored locally get a new content version, since their images
    /// can be shown now. Files that were removed to free space left their renditions, which remain
    /// valid.
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
    /// The journal author of the versions that record the arrival of downloaded files.
    private static let downloadAuthor = "cloud:download"

    /// Places one downloaded file for all resources with its content but no local file, as
    /// `placeContents(_:)` does.
    ///
    /// - Returns: The UUIDs of the assets whose file it became; empty if none lacks it any more.
    /// - Throws: `invalidResource` if the file has another size than the rows state, and the errors
    ///   of `placeContents(_:)`.
    package func placeContent(
        _ content: ContentID,
        from download: StagedDownload
    ) throws -> [String] {
        let outcomes = try placeContents([FinishedDownload(content: content, file: download)])
        return try outcomes.first?.get() ?? []
    }

    /// Places downloaded files in one commit, each of them for all resources with its content but
    /// no local file.
    ///
    /// The caller has verified the SHA-256 of each file. The call consumes the downloads unless it
    /// throws `busy`; it can then be repeated.
    ///
    /// - Parameter downloads: The files, completely written, all in one folder.
    /// - Returns: For each file, the UUIDs of the assets whose file it became, which is none if
    ///   none lacks it any more; or `invalidResource` if it has another size than the rows state.
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library, and the errors
    ///   of `write`.
    package func placeContents(
        _ downloads: [FinishedDownload]
    ) throws -> [Result<[String], LibraryError>] {
        guard let session = downloads.first?.file.session else { return [] }
        precondition(downloads.allSatisfy { $0.file.session === session })
        var mayRepeat = true
        do {
            guard let device = try cloudMembership()?.device else { throw CloudExporter.notJoined }
            var staged: [(file: StagedFile, content: ContentID)] = []
            do throws(SystemError) {
                for download in downloads {
                    let digest = SHA256Digest(bytes: Array(download.content.data))
                    staged.append((try download.file.staged(digest), download.content))
                }
                // Before the writer lock is acquired, which others wait for.
                try files.sync(staged.map(\.file))
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
            let outcomes = try write(author: origin.author, origin: origin) { transaction in
                mayRepeat = false
                return try ContentPlacement(
                    transaction: transaction,
                    bundle: bundle,
                    session: session
                ).place(staged)
            }
            for download in downloads { download.file.discard() }
            return outcomes
        } catch let error as LibraryError where error.code == .busy && mayRepeat {
            throw error
        } catch {
            for download in downloads { download.file.discard() }
            throw error
        }
    }
}
