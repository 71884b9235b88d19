internal import GRDB
package import LibraryService
package import PhotoModel

extension ClientAccess {
    /// Throws an error unless the client may see everything.
    ///
    /// - Throws: `accessDenied` or `accessRestricted`.
    package func requireEverything() throws(LibraryError) {
        let state = self.state
        if state.access != .full { throw state.refusal ?? Self.refused }
    }

    /// Throws an error unless the client may see all assets other than hidden ones.
    ///
    /// - Throws: `accessDenied` or `accessRestricted`.
    package func requireAllAssets() throws(LibraryError) {
        let state = self.state
        if state.access.assets != .all { throw state.refusal ?? Self.refused }
    }

    /// Throws an error unless the client may see some assets.
    ///
    /// - Throws: `accessDenied` or `accessRestricted`.
    package func requireAnyAccess() throws(LibraryError) {
        let state = self.state
        if state.access.isNone { throw state.refusal ?? Self.refused }
    }

    /// Throws an error unless the client may stage files, that is, unless it may create assets or
    /// see some assets.
    ///
    /// - Throws: `accessDenied` or `accessRestricted`.
    package func requireStaging() throws(LibraryError) {
        let state = self.state
        guard !state.mayCreate, state.access.isNone else { return }
        throw state.refusal ?? Self.refused
    }

    /// Throws an error if a change set contains a change that the client may not make.
    ///
    /// A client that may not see everything can create assets and change those that it sees or that
    /// the same change set creates. It cannot change albums.
    ///
    /// - Returns: The UUIDs of the assets that become visible to a limited client; empty for all
    ///   other clients.
    /// - Throws: `accessDenied` or `accessRestricted`; `identifierNotFound` for assets that a
    ///   limited client may not see.
    package func check(_ changes: ChangeSet) throws(LibraryError) -> Set<String> {
        let state = self.state
        guard state.access.assets != .all else { return [] }
        var made: Set<String> = []
        for (index, operation) in changes.operations.enumerated() {
            do throws(LibraryError) {
                try state.check(operation.action, made: &made)
            } catch {
                throw error.ofRequest(
                    index + 1,
                    of: changes.operations.count,
                    named: operation.request
                )
            }
        }
        if case .some = state.access.assets { return made }
        return []
    }

    static let refused = LibraryError(
        .accessDenied,
        "This program has no permission for this use of the photo library.",
        recovery: "Run photos access list to see its permissions."
    )
}

extension LibraryView {
    /// Throws an error if a change set contains a change that the client may not make; see
    /// `ClientAccess.check(_:)`.
    ///
    /// The client cannot change assets that are hidden from it, unless the same change set creates
    /// them. A limited client cannot create an asset with the UUID of an object that exists or
    /// existed, which would otherwise become visible to it.
    ///
    /// - Returns: The UUIDs of the assets that become visible to a limited client; none of them is
    ///   in the library.
    /// - Throws: `accessDenied` or `accessRestricted`; `identifierNotFound`; `invalidRequest` for
    ///   the UUID of another object; the reason why the library cannot be read.
    package func check(_ changes: ChangeSet) throws -> Set<String> {
        let made = try access.check(changes)
        let state = access.state
        let mayChangeHidden =
            state.access.isNone || state.access.includesHidden
            || changes.operations.allSatisfy(\.action.changedAssets.isEmpty)
        guard !made.isEmpty || !mayChangeHidden else { return made }
        try read { reading in
            if !made.isEmpty { try reading.checkCreations(of: changes) }
            if !mayChangeHidden { try reading.checkHidden(changes, state) }
        }
        return made
    }
}

extension LibraryView.Reading {
    /// Throws an error if a change set creates an asset with the UUID of an object that is or was
    /// in the library, or that another asset is shown for.
    fileprivate func checkCreations(of changes: ChangeSet) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(ChangeSetCommit.isUsedSQL)
                    OR EXISTS (SELECT 1 FROM asset
                        WHERE uuid = \(CloudTwinTable.answeringSQL("?1")))
                """
        )
        for (index, operation) in changes.operations.enumerated() {
            guard case .createAsset(let creation) = operation.action,
                try Bool.fetchOne(statement, arguments: [creation.uuid]) ?? true
            else { continue }
            throw ChangeProblem.usedIdentifier(creation.uuid).ofRequest(
                index + 1,
                of: changes.operations.count,
                named: operation.request
            )
        }
    }

    /// Throws an error if a change set changes assets that are hidden from the client.
    fileprivate func checkHidden(_ changes: ChangeSet, _ state: ClientAccess.State) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT isHidden FROM asset WHERE uuid = \(CloudTwinTable.answeringSQL("?1"))"
        )
        for (index, operation) in changes.operations.enumerated() {
            let hidden = try operation.action.changedAssets.filter { uuid in
                // The commit reports missing assets.
                try Bool.fetchOne(statement, arguments: [uuid]) ?? false
            }
            guard !hidden.isEmpty else { continue }
            var error = state.hiddenRefusal ?? ClientAccess.refused
            error.identifiers = hidden.map { $0 + ObjectKind.asset.identifierSuffix }
            throw error.ofRequest(
                index + 1,
                of: changes.operations.count,
                named: operation.request
            )
        }
    }
}

extension ChangeAction {
    /// The UUIDs of the existing assets that the action changes, except those that it adds to
    /// albums.
    fileprivate var changedAssets: [String] {
        switch self {
        case .editAsset(let uuid, _), .editContent(let uuid, _), .revertContent(let uuid, _): [uuid]
        case .deleteAssets(let uuids), .restoreAssets(let uuids), .purgeAssets(let uuids): uuids
        case .createAsset, .createCollection, .retitleCollection, .deleteCollections,
            .editMembers, .editChildren:
            []
        }
    }
}

extension ClientAccess.State {
    fileprivate func check(
        _ action: ChangeAction,
        made: inout Set<String>
    ) throws(LibraryError) {
        switch action {
        case .createAsset(let creation):
            guard mayCreate else { throw refusal ?? ClientAccess.refused }
            made.insert(creation.uuid)
        case .editAsset(let uuid, _), .editContent(let uuid, _), .revertContent(let uuid, _):
            try check([uuid], made)
        case .deleteAssets(let uuids), .restoreAssets(let uuids): try check(uuids, made)
        // These concern albums or cannot be undone. There is no default, so that each new action
        // needs a decision.
        case .purgeAssets, .createCollection, .retitleCollection, .deleteCollections,
            .editMembers, .editChildren:
            throw refusal ?? ClientAccess.refused
        }
    }

    private func check(_ uuids: [String], _ made: Set<String>) throws(LibraryError) {
        let unseen = uuids.filter {
            !access.permits(asset: $0, isHidden: false) && !made.contains($0)
        }
        guard !unseen.isEmpty else { return }
        // For a limited client the asset does not exist; clients without a selection see no assets
        // at all.
        guard case .some = access.assets else { throw refusal ?? ClientAccess.refused }
        let identifiers = unseen.map { $0 + ObjectKind.asset.identifierSuffix }
        throw LibraryError(
            .identifierNotFound,
            "The library has no asset with the identifier \(identifiers[0]).",
            recovery: "It has been deleted; fetch again.",
            identifiers: identifiers
        )
    }
}
