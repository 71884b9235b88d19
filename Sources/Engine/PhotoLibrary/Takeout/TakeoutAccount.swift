internal import Foundation
internal import GRDB
internal import WorkerProtocol

/// A Google account from which exports were imported.
///
/// Exports do not name their account, so it is inferred from their files. Names in an export are
/// recorded by account, so that files and albums of two accounts with equal names stay apart.
struct TakeoutAccount: Hashable, Sendable {
    /// The key of the account in this library; empty for the account that was imported first.
    var key: String

    /// The account whose exports were imported first.
    static let first = TakeoutAccount(key: "")

    /// Creates an account for an export that does not belong to any known account.
    static func new(isFirst: Bool) -> TakeoutAccount {
        isFirst ? .first : TakeoutAccount(key: String(UUID().uuidString.lowercased().prefix(8)))
    }

    /// Returns the name under which a file or an album of the account is recorded.
    ///
    /// The prefix `//` cannot conflict with a name in an export, since those have no empty path
    /// components.
    func item(_ name: String) -> String { key.isEmpty ? name : "//\(key)/\(name)" }

    /// The identifier of the account's `migrationSource` row; nil for the first account, because
    /// earlier versions stored no identifier.
    var sourceIdentifier: String? { key.isEmpty ? nil : key }

    /// Returns the identifier of the `migrationSource` row for one of the account's exports.
    ///
    /// `name` is the name prefix that the archives of the export share.
    func exportIdentifier(_ name: String) -> String { key + "/" + name }
}

/// The accounts whose exports were imported into a library, with the names of their archives.
struct TakeoutAccounts {
    /// An account, with the shared name prefixes of its archives.
    struct Known: Hashable, Sendable {
        var account: TakeoutAccount
        var names: Set<String> = []
    }

    private(set) var known: [Known] = []

    /// Reads the accounts in the order of their first import.
    init(_ items: TakeoutItems) throws {
        for identifier in try items.sourceIdentifiers() {
            let parts = (identifier ?? "").split(
                separator: "/",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let account = TakeoutAccount(key: parts.first.map(String.init) ?? "")
            let index = add(account)
            if parts.count > 1 { known[index].names.insert(String(parts[1])) }
        }
    }

    private mutating func add(_ account: TakeoutAccount) -> Int {
        if let index = known.firstIndex(where: { $0.account == account }) { return index }
        known.append(Known(account: account))
        return known.count - 1
    }

    // MARK: - Finding

    /// Determines the account of each export.
    ///
    /// 1. Archives with the name of an earlier export belong to the same account, unless most of
    ///    their files differ.
    /// 2. Otherwise, an export belongs to the account with which it has most files in common.
    /// 3. An export that shares no file name with an account counts as a later part of an export of
    ///    that account. It does not if both have an album in a folder of the same name and its
    ///    archives have a different name.
    static func find(
        _ exports: [TakeoutExports.Export],
        of plan: TakeoutPlan,
        in items: TakeoutItems,
        digest: (TakeoutFile) -> String?
    ) throws -> [TakeoutAccount] {
        var accounts = try TakeoutAccounts(items)
        let contents = plan.contents(of: exports.count)
        // The library has no rows of the accounts that are found now.
        let stored = Set(accounts.known.map(\.account))
        var found: [TakeoutAccount] = []
        for (index, export) in exports.enumerated() {
            let account = try accounts.account(of: export) { known in
                let common =
                    stored.contains(known.account)
                    ? try items.overlap(of: contents[index], known, plan.files, digest)
                    : TakeoutOverlap()
                let earlier = found.indices.filter { found[$0] == known.account }
                return earlier.reduce(into: Evidence(stored: common)) { evidence, other in
                    evidence.add(
                        contents[index].overlap(with: contents[other], plan.files, digest)
                    )
                }
            }
            found.append(account)
            let place = accounts.add(account)
            if let name = export.name { accounts.known[place].names.insert(name) }
        }
        return found
    }

    /// The overlap of an export with one account, by which the account of the export is determined.
    ///
    /// `stored` compares the export with the account's earlier imports, `given` with the account's
    /// other exports in the same import.
    private struct Evidence {
        var stored: TakeoutOverlap
        var given: TakeoutOverlap?

        var all: TakeoutOverlap {
            var sum = stored
            if let given { sum.add(given) }
            return sum
        }

        init(stored: TakeoutOverlap) { self.stored = stored }

        mutating func add(_ overlap: TakeoutOverlap) {
            given = given ?? TakeoutOverlap()
            given?.add(overlap)
        }
    }

    private func account(
        of export: TakeoutExports.Export,
        _ evidence: (Known) throws -> Evidence
    ) throws -> TakeoutAccount {
        let all = try known.map { (known: $0, evidence: try evidence($0)) }
        let named = all.first { candidate in
            let overlap = candidate.evidence.all
            return export.name.map(candidate.known.names.contains) == true
                && overlap.equal >= overlap.different
        }
        if let named { return named.known.account }
        let common = all.filter { $0.evidence.all.isOfOneAccount }
        if let most = common.map(\.evidence.all.equal).max() {
            return common.first { $0.evidence.all.equal == most }?.known.account ?? .first
        }
        let part = all.first { candidate in
            guard candidate.evidence.all.isDisjoint else { return false }
            // Exports that are given together are different ones, or they would be parts of one.
            if candidate.evidence.given?.sharesAlbum == true { return false }
            let mayBePart = export.name == nil || candidate.known.names.isEmpty
            return mayBePart || !candidate.evidence.stored.sharesAlbum
        }
        return part?.known.account ?? .new(isFirst: known.isEmpty)
    }
}

extension TakeoutPlan {
    /// Returns the file names in each export, except those of files that a partner shared.
    fileprivate func contents(of count: Int) -> [TakeoutContent] {
        var shared = Set<Int>()
        for item in units.flatMap(\.items) where facts(of: item)?.isFromPartner == true {
            shared.insert(item.file)
        }
        var contents = [TakeoutContent](repeating: TakeoutContent(), count: count)
        for (index, file) in files.enumerated() where !shared.contains(index) {
            guard file.reading == nil else { continue }
            let export = export(of: index)
            contents[export].add(file, index, years, in: export)
        }
        for album in albums { contents[album.folder.export].add(album: album.folder.path) }
        return contents
    }
}

extension TakeoutItems {
    /// Compares the files of an export with the imported files of an account.
    fileprivate func overlap(
        of content: TakeoutContent,
        _ known: TakeoutAccounts.Known,
        _ files: [TakeoutFile],
        _ digest: (TakeoutFile) -> String?
    ) throws -> TakeoutOverlap {
        var overlap = TakeoutOverlap()
        for (name, index) in content.names {
            guard let former = try fingerprint(known.account.item(name)) else { continue }
            let file = files[index]
            if former == file.fingerprint {
                overlap.equal += 1
            } else if !file.mayEqual(former) {
                overlap.different += 1
            } else {
                let last = try item(known.account.item(name))?.facts.sha256
                let isSame = last == nil || TakeoutContent.areEqual(digest(file), last)
                if isSame { overlap.equal += 1 } else { overlap.different += 1 }
            }
        }
        guard !overlap.isDisjoint else {
            overlap.sharesAlbum = try content.albums.contains { folder in
                try item(known.account.item(folder + "/")) != nil
            }
            return overlap
        }
        var sizes = (stored: 0, given: 0)
        for (folder, count) in content.folders {
            let stored = try self.count(below: known.account.item(folder))
            guard stored > 0 else { continue }
            sizes.stored += stored
            sizes.given += count
        }
        overlap.size = min(sizes.stored, sizes.given)
        return overlap
    }
}
