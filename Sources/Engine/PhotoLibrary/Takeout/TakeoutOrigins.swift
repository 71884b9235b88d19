internal import Foundation

/// The name under which a file or an album of an account is recorded in a library.
struct TakeoutRecordName: Hashable, Sendable {
    var account: TakeoutAccount
    /// The name of the `migratedItem`.
    var item: String
}

/// The accounts of the exports that are imported together.
struct TakeoutOrigins: Sendable {
    let exports: [TakeoutExports.Export]
    /// The account of each export.
    let accounts: [TakeoutAccount]

    private func account(of export: Int) -> TakeoutAccount {
        accounts.indices.contains(export) ? accounts[export] : .first
    }

    /// Returns the name of a file.
    func name(of file: Int, _ plan: TakeoutPlan) -> TakeoutRecordName {
        let account = account(of: plan.export(of: file))
        let item = account.item(plan.files[file].commonPath)
        return TakeoutRecordName(account: account, item: item)
    }

    /// Returns the name of an album.
    func name(of album: TakeoutPlan.Album) -> TakeoutRecordName {
        let account = account(of: album.folder.export)
        return TakeoutRecordName(account: account, item: account.item(album.folder.path + "/"))
    }

    /// Records the accounts and the names of their exports; returns the accounts' rows.
    func record(in items: TakeoutItems, at time: Date) throws -> [TakeoutAccount: Int64] {
        var rows: [TakeoutAccount: Int64] = [:]
        for (export, account) in zip(exports, accounts) {
            rows[account] = try items.source(account.sourceIdentifier, at: time)
            guard let name = export.name else { continue }
            try items.source(account.exportIdentifier(name), at: time)
        }
        rows[.first] = try rows[.first] ?? items.source(nil, at: time)
        return rows
    }
}
