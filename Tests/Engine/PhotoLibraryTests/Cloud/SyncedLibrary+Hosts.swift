import CloudSync
import Foundation
import GRDB
import LibraryService
import PhotoModel

@testable import CloudSimulation
@testable import PhotoLibrary

/// What a host does with a library beside the exchange of changes.
extension SyncedLibrary {
    static let publishing = Array(repeating: Duty.publish, count: 40)

    /// Continues under a new name with a host that reads everything from the store.
    ///
    /// The former host's state may be lost, with changes that it had not published.
    func continueCloud(losesState: Bool) throws {
        replaceMachine()
        try store.continueCloud(as: machine.device)
        if losesState { try store.restartCloudExport() }
        try start()
    }

    /// Joins again after the library left its cloud library.
    func rejoin() throws {
        replaceMachine()
        try join()
    }

    /// Copies all files that are only in the cloud from other libraries that have them.
    func download(from others: [SyncedLibrary]) throws {
        let staging = try store.cloudStaging()
        defer { staging.end() }
        for content in try store.missingContents(limit: .max) {
            for other in others {
                guard let bytes = try other.bytes(of: content) else { continue }
                let file = try staging.createFile()
                try file.write(bytes)
                let assets = try store.placeContent(content, from: file)
                guard !assets.isEmpty else { throw Difference("nothing lacked \(content)") }
                break
            }
        }
    }

    /// Returns the bytes of a file that is here.
    func bytes(of content: ContentID) throws -> Data? {
        guard let file = try store.openContent(content) else { return nil }
        return try FileHandle(fileDescriptor: file.number, closeOnDealloc: false).readToEnd()
            ?? Data()
    }

    /// Returns the content of the only file of an asset.
    func content(of asset: String) throws -> ContentID {
        let text = try store.read { database in
            try String.fetchOne(
                database,
                sql: """
                    SELECT lower(hex(sha256)) FROM resource JOIN asset ON asset.id = assetId
                    WHERE asset.uuid = ?
                    """,
                arguments: [asset]
            )
        }
        guard let content = ContentID(hexadecimal: text ?? "") else {
            throw Difference("\(asset) has no file")
        }
        return content
    }

    /// Returns the presence of an asset's files.
    func presence(of asset: String) throws -> [Int] {
        try store.read { database in
            try Int.fetchAll(
                database,
                sql: """
                    SELECT presence FROM resource JOIN asset ON asset.id = assetId
                    WHERE asset.uuid = ?
                    """,
                arguments: [asset]
            )
        }
    }
}

extension StagedDownload {
    func write(_ bytes: Data) throws {
        try FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
            .write(contentsOf: bytes)
    }
}

extension SimulatedStore {
    /// Returns the transaction with the purge of an asset; nil if the store has none.
    func publishedPurge(of asset: String) throws -> CloudTransaction? {
        let id = try CloudID.of(asset)
        for case .segment(let sealed) in objects.values {
            for transaction in sealed.segment.transactions {
                for case .purge(id, _, _) in transaction.operations { return transaction }
            }
        }
        return nil
    }
}
