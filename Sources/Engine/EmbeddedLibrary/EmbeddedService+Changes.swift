internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import ProgramAccess

extension EmbeddedService {
    func commit(_ request: CommitRequest, files: [Descriptor]) throws(LibraryError) -> CommitReply {
        let reply = try commitPermitted(request, files: files)
        var shown: [String] = []
        for operation in request.changes.operations {
            switch operation.action {
            case .createAsset(let creation): shown.append(creation.uuid)
            case .editContent(let uuid, _), .revertContent(let uuid, _): shown.append(uuid)
            default: break
            }
        }
        background?.add(shown)
        return reply
    }

    /// Commits a request after checking the client's permissions.
    private func commitPermitted(
        _ request: CommitRequest,
        files: [Descriptor]
    ) throws(LibraryError) -> CommitReply {
        let joining = try mapped { try view.check(request.changes) }
        guard let program, !joining.isEmpty else {
            return try committer.commit(request, files: files)
        }
        // Assets created by a limited program are added to its selection before they exist.
        let library = try mapped { try store.libraryUUID() }
        try program.select(joining, in: library)
        do throws(LibraryError) {
            return try committer.commit(request, files: files)
        } catch {
            try? program.deselect(joining, in: library)
            throw error
        }
    }

    /// Returns the access of a program to a library, which follows its user's current choices.
    static func access(
        of program: ClientProgram?,
        to store: LibraryStore
    ) throws(LibraryError) -> ClientAccess {
        guard let program else { return ClientAccess() }
        let library: String
        do {
            library = try store.libraryUUID()
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
        // Without the folder, watching is impossible and every check reads the choices.
        try? program.store.prepareFolder()
        return ClientAccess(
            .none,
            watchedFolder: program.store.folder,
            decision: program.grants(for: library)
        )
    }
}
