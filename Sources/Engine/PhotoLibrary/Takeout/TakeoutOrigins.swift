internal import Foundation

/// The name under which a file or an album of an account is recorded in a library.
struct TakeoutRecordName: Hashable, Sendable {
    var account: TakeoutAccount
    /// The value of the column `migratedItem.item`.
    var item: String
}

/// The exports that are imported together, with their accounts.
struct TakeoutOrigins: Sendable {
    let exports: [TakeoutExports.Export]
    /// The account of each export.
    let accounts: [TakeoutAccount]

    private func account(of export: Int) -> TakeoutAccount {
        accounts.indices.contains(export) ? accounts[export] : .first
    }

    /// Returns the name under which a file is recorded.
    func name(of file: Int, _ plan: TakeoutPlan) -> TakeoutRecordName {
        let export = plan.export(of: file)
        let account = account(of: export)
        let item = account.item(plan.years.path(of: plan.files[file], in: export))
        return TakeoutRecordName(account: account, item: item)
    }

    /// Returns the name under which an album is recorded.
    func name(of album: TakeoutPlan.Album) -> TakeoutRecordName {
        let account = account(of: album.folder.export)
        return TakeoutRecordName(account: account, item: account.item(album.folder.path + "/"))
    }

    /// Inserts the accounts and their export names into `migrationSource`.
    ///
    /// Returns the row ids of the accounts.
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
