package import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// The methods with which the sync host exchanges changes with a cloud library.
extension LibraryStore {
    /// Local changes to publish in the cloud library.
    package struct CloudExport: Sendable {
        /// The transactions in the order of their stamps.
        package var transactions: [CloudTransaction]
        /// The locally stored contents that the transactions reference.
        package var contents: [ContentID]
        /// The last library version whose changes are included.
        package var through: Int64
        /// The UUID of the object after which an export of all objects continues; nil if this part
        /// is its last, and for other exports.
        package var next: String?
        /// Whether no part of the export follows.
        package var isComplete: Bool
    }

    /// Joins a cloud library under a device identifier, and stamps all values that differ from
    /// their defaults.
    ///
    /// A stamp is the time of the change that set the value, so an untouched default never wins
    /// over another device's change.
    ///
    /// - Throws: `changeNotSupported` if the library has joined one already; the errors of `write`.
    package func joinCloud(library: String, device: CloudID) throws {
        // A version without entries, whose time is after everything that is stamped here.
        try write(author: Maintenance.author) { transaction in
            try CloudJoining(transaction, device: device).run(library: library)
        }
    }

    /// Returns the local changes since the last export.
    ///
    /// The first export contains all objects, and so does an export after the journal was pruned
    /// beyond the last one. An export of all objects or of many changes takes several calls, so
    /// that memory does not grow with the library. Changes of other devices must not be
    /// acknowledged before it is complete. The last part of an export of all objects also contains
    /// the memberships that moved between albums and assets meanwhile.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of objects, if all are exported.
    ///   - entries: The number of journal entries after which a part ends with their version, if
    ///     only changes are exported.
    /// - Returns: The changes; nil if there are none.
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library.
    package func exportChanges(
        limit: Int = 2_000,
        entries: Int = 20_000
    ) throws -> CloudExport? {
        try read { try CloudExporter($0).export(limit: limit, entries: entries) }
    }

    /// Returns the number of local changes that were not exported.
    ///
    /// In an export of all objects, each object counts as one change.
    package func unexportedChangeCount() throws -> Int {
        try read { try CloudExporter($0).remainingCount() }
    }

    /// Records that the cloud library has received an export.
    package func markExported(_ export: CloudExport) throws {
        try alone { database in
            if let next = export.next {
                try LibrarySetting.cloudExporting.set("\(export.through) \(next)", in: database)
            } else {
                try LibrarySetting.cloudExporting.remove(in: database)
                try LibrarySetting.cloudExported.set(String(export.through), in: database)
                try MovedMemberships(database).removeAll()
            }
        }
    }

    /// Applies transactions of other devices, each of them atomically.
    ///
    /// Transactions that were applied before have no effect.
    ///
    /// - Parameters:
    ///   - transactions: The transactions as the cloud library's state machine returns them.
    ///   - defersMoments: Whether very many new assets are only grouped by `groupMoments()`, so
    ///     that a library is not grouped again and again while it arrives.
    ///   - manyNewAssets: The number of new assets from which on they are inserted together.
    ///   - name: Returns the name of a device.
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library; `corrupt` for
    ///   values that cannot be read; the errors of `write`.
    package func importChanges(
        _ transactions: [CloudTransaction],
        defersMoments: Bool = false,
        manyNewAssets: Int = LibraryStore.manyNewAssets,
        name: (CloudID) -> String? = { _ in nil }
    ) throws {
        var rest = transactions[...]
        while let first = rest.first {
            var operations = 0
            let batch = rest.prefix {
                guard $0.author == first.author, operations < Self.operationsPerImport else {
                    return false
                }
                operations += $0.operations.count
                return true
            }
            rest = rest.dropFirst(batch.count)
            let stamp = batch.map(\.time).max() ?? first.time
            let origin = RemoteOrigin(
                author: "cloud:" + (name(first.author) ?? first.author.hexadecimal),
                device: first.author.hexadecimal,
                time: Date(timeIntervalSince1970: Double(stamp.milliseconds) / 1_000),
                stamp: stamp
            )
            try write(author: origin.author, origin: origin) { transaction in
                guard try LibraryTransaction.notes(transaction.database) != nil else {
                    throw CloudExporter.notJoined
                }
                transaction.defersMoments = defersMoments || !rest.isEmpty
                let remote = try RemoteTransaction(
                    transaction,
                    files: FileLink(bundle: bundle, files: files)
                )
                try remote.apply(Array(batch), manyNewAssets: manyNewAssets)
                // What is only kept for later is no change, but a person's changes replace it.
                try transaction.observeOrigin()
            }
        }
        if !defersMoments { try groupMoments() }
    }

    /// The number of operations after which a database transaction ends: some 5,000 new assets.
    ///
    /// Each commit writes all pages that it changed, and new assets are at random places of most
    /// indexes, so many small commits write most pages again and again.
    package static let operationsPerImport = 40_000

    /// The usual number of new assets from which on they are inserted together.
    ///
    /// For fewer, SQLite would compile more statements than it then saves.
    package static let manyNewAssets = 256
}
