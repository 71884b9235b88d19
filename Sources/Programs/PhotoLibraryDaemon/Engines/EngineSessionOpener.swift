internal import DaemonCore
internal import EmbeddedLibrary
internal import LibraryService
internal import PeerIdentity
internal import PhotoModel
internal import ProgramAccess
internal import RemoteLibrary

/// The engine of the daemon: opens libraries, and sessions with the rights of their clients.
///
/// - A program of this user without a sandbox or a security label (`host`) gets what it gets with
///   the engine in its own process: the permission that its user granted, or everything if it asks
///   as the library's owner. That is a convention in both cases, since it can read the files.
/// - The permission is that of the program that the kernel names, in the daemon's own store.
///   Nothing that the client states grants any; the daemon asks the user by dialogs of its own.
/// - All other clients are refused. Their permission would have to be a boundary, but replies
///   contain descriptors of originals, and a program of the same user can open the file of a
///   descriptor again for writing.
struct EngineSessionOpener: SessionOpener {
    let engines: EngineTable
    /// The path of the library for clients that name none.
    let standardLibrary: String
    /// The questions to the user.
    let desk: QuestionDesk

    func open(_ client: ClientDescription) throws(LibraryError) -> OpenedSession {
        let (identity, hello) = (client.identity, client.hello)
        guard identity.kind == .host else { throw Self.refusal(of: identity) }
        // The daemon ignores the environment of its clients, which may contain $PHOTOS_ACCESS.
        let known = ClientProgram(identity.program)
        if hello.role == .observer { return observer(known) }
        let isOwner = hello.role == .owner
        let program = isOwner ? nil : known
        let author = isOwner ? hello.author : nil
        let client = ClientIdentity(
            program: program,
            author: author ?? identity.program.name,
            requester: identity.program.identifier,
            desk: desk
        )
        let path = hello.library ?? standardLibrary
        guard path.hasPrefix("/") else {
            throw LibraryError(
                .invalidRequest,
                "The path of the library does not begin with a slash: \(path).",
                recovery: "Name the library by its absolute path."
            )
        }
        let status = program?.status(for: .readWrite)
        defer { program?.recordUse() }
        return try engines.withEngine(at: path) { entry throws(LibraryError) in
            OpenedSession(
                service: try entry.engine.session(for: client, restriction: hello.restriction),
                library: entry.library,
                answers: entry.answers,
                isOwner: isOwner,
                hasFullAccess: isOwner || program?.status(for: .readWrite) == .authorized,
                permission: status?.rawValue
            )
        }
    }

    private func observer(_ program: ClientProgram) -> OpenedSession {
        OpenedSession(
            service: NoLibrary(program, desk: desk),
            library: "",
            answers: InMemoryAnsweredRequests(),
            isOwner: true,
            hasFullAccess: false
        )
    }

    private static func refusal(of identity: PeerIdentity) -> LibraryError {
        let reason =
            switch identity.kind {
            case .sandboxed, .labeled:
                "The daemon does not yet confine programs that run in a sandbox or under a profile."
            case .otherUser, .service: "The daemon does not yet serve other users."
            case .host, .unknown: identity.problem
            }
        return LibraryError(
            .accessDenied,
            "The library daemon does not serve \(identity.program.quotedName).",
            reason: reason
        )
    }
}
