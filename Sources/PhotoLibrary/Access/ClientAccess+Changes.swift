package import LibraryService
package import PhotoModel

extension ClientAccess {
    /// Refuses what only a client may do that may see everything.
    ///
    /// - Throws: `accessDenied` or `accessRestricted`.
    package func requireEverything() throws(LibraryError) {
        let state = self.state
        if state.access != .full { throw state.refusal ?? Self.refused }
    }

    /// Refuses changes that the client may not make.
    ///
    /// Who may not see everything makes assets, changes what it sees and what the same change makes,
    /// and touches no albums.
    ///
    /// - Returns: The UUIDs of the assets that become part of what a limited client may see; none for
    ///   all others.
    /// - Throws: `accessDenied` or `accessRestricted`; `identifierNotFound` for assets that a limited
    ///   client may not see.
    package func check(_ changes: ChangeSet) throws(LibraryError) -> Set<String> {
        let state = self.state
        guard state.access != .full else { return [] }
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
        if case .limited = state.access { return made }
        return []
    }

    fileprivate static let refused = LibraryError(
        .accessDenied,
        "This program may not do that with the photo library.",
        recovery: "Run photos access list to see what was permitted."
    )
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
        // Concerns albums, or cannot be taken back. No default: each new action is to be thought about.
        case .purgeAssets, .createCollection, .retitleCollection, .deleteCollections,
            .editMembers, .editChildren:
            throw refusal ?? ClientAccess.refused
        }
    }

    private func check(_ uuids: [String], _ made: Set<String>) throws(LibraryError) {
        let unseen = uuids.filter { !access.permits(asset: $0) && !made.contains($0) }
        guard !unseen.isEmpty else { return }
        // To a limited client there is no such asset; the others see none at all.
        guard case .limited = access else { throw refusal ?? ClientAccess.refused }
        let identifiers = unseen.map { $0 + ObjectKind.asset.identifierSuffix }
        throw LibraryError(
            .identifierNotFound,
            "The library has no asset with the identifier \(identifiers[0]).",
            recovery: "It was deleted meanwhile; fetch again.",
            identifiers: identifiers
        )
    }
}
