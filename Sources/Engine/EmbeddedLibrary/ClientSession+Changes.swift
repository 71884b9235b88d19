internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import ProgramAccess

extension ClientSession {
    func stage(_ request: StageRequest, file: Descriptor) throws(LibraryError) -> StageReply {
        try call {
            try view.access.requireStaging()
            let staged = try engine.committer.stage(request, file: file)
            return StageReply(token: tokens.add(staged), size: staged.file.size)
        }
    }

    func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError) {
        try call { tokens.release(request.tokens) }
    }

    func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        try call {
            let reply: CommitReply
            do {
                reply = try commitPermitted(request)
            } catch {
                // Those that the committer did not receive.
                tokens.release(request.changes.resources.map(\.file))
                throw error
            }
            engine.background?.add(Self.shownAssets(of: request.changes))
            return reply
        }
    }

    /// Returns the assets whose image a change set creates or replaces.
    private static func shownAssets(of changes: ChangeSet) -> [String] {
        var shown: [String] = []
        for operation in changes.operations {
            switch operation.action {
            case .createAsset(let creation): shown.append(creation.uuid)
            case .editContent(let uuid, _), .revertContent(let uuid, _): shown.append(uuid)
            default: break
            }
        }
        return shown
    }

    /// Commits a request after checking the client's permissions.
    private func commitPermitted(_ request: CommitRequest) throws -> CommitReply {
        let joining: Set<String>
        do {
            joining = try view.check(request.changes)
        } catch {
            // A change that is requested again finds the assets that it created.
            let stored: CommitReply? = try store.storedReply(of: client.requester)
            guard let stored else { throw error }
            tokens.release(request.changes.resources.map(\.file))
            return stored
        }
        guard let program, !joining.isEmpty else { return try commitStaged(request) }
        // Assets created by a limited program are added to its selection before they exist.
        let library = try store.libraryUUID()
        let added = try program.select(joining, in: library)
        do throws(LibraryError) {
            return try commitStaged(request)
        } catch {
            try? program.deselect(added, in: library)
            throw error
        }
    }

    private func commitStaged(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        try engine.committer.commit(
            request,
            files: try tokens.take(request.changes),
            author: client.author,
            requester: client.requester
        )
    }

    /// Returns a program's access to a library according to the user's current choices.
    ///
    /// A restriction applies in addition to the choices.
    static func access(
        of program: ClientProgram?,
        to store: LibraryStore,
        _ restriction: SessionRequest.Restriction
    ) throws(LibraryError) -> ClientAccess {
        guard let program else {
            guard restriction == .withoutHidden else { return ClientAccess() }
            let grant = ClientGrant.everything.withoutHidden
            return ClientAccess(grant.access, decision: { grant })
        }
        let library: String
        do {
            library = try store.libraryUUID()
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
        // Without the folder, watching is impossible and every check reads the choices.
        try? program.store.prepareFolder()
        let grants = program.grants(for: library)
        return ClientAccess(
            .none,
            watchedFolder: program.store.folder,
            epochs: .shared,
            decision: restriction == .withoutHidden ? { grants()?.withoutHidden } : grants
        )
    }
}
