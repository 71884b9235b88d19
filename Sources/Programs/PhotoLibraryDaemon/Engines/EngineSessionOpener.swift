internal import DaemonCore
internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
internal import PeerIdentity
internal import PhotoModel
internal import ProgramAccess
internal import RemoteLibrary

/// Opens libraries, and opens sessions that have the permissions of their clients.
///
/// - A program of this user without a sandbox or a security label (`host`) has the same access as
///   with the engine in its own process: the permission that its user granted, or full access if it
///   connects as the library's owner. This is only a convention, since the program could read the
///   files itself.
/// - The program is identified by the kernel, and its permission is read from the daemon's own
///   store. Nothing that the client states grants permission. The daemon itself asks the user in
///   dialogs.
/// - For a program in a sandbox or under a security label, and for a program of another user,
///   permission is enforced. Such a program can only use the daemon's standard library, can never
///   be the owner, and receives files that it cannot modify.
struct EngineSessionOpener: SessionOpener {
    let engines: EngineTable
    /// The path of the default library, for clients that do not name a library.
    let standardLibrary: String
    /// The questions that are waiting for the user's answer.
    let desk: QuestionDesk

    func open(_ client: ClientDescription) throws(LibraryError) -> OpenedSession {
        let (identity, hello) = (client.identity, client.hello)
        let isBoundary = identity.kind.isBoundary
        // The daemon ignores the environment of its clients, which may contain $PHOTOS_ACCESS.
        let known = ClientProgram(program(of: identity))
        if hello.role == .observer { return observer(known, isOwner: !isBoundary) }
        let isOwner = hello.role == .owner
        if isBoundary, isOwner { throw Self.refusal(of: identity) }
        let program = isOwner ? nil : known
        let author = isOwner ? hello.author : nil
        let client = ClientIdentity(
            program: program,
            author: author ?? identity.program.name,
            requester: identity.program.identifier,
            desk: desk
        )
        let path = isBoundary ? standardLibrary : hello.library ?? standardLibrary
        guard path.hasPrefix("/") else {
            throw LibraryError(
                .invalidRequest,
                "The path of the library does not begin with a slash: \(path).",
                recovery: "Name the library by its absolute path."
            )
        }
        let status = program?.status(for: .readWrite)
        defer { program?.recordUse(isEnforced: isBoundary && !canReadLibrary(identity)) }
        return try engines.withEngine(at: path) { entry throws(LibraryError) in
            OpenedSession(
                service: try entry.engine.session(for: client, restriction: hello.restriction),
                library: entry.library,
                answers: entry.answers,
                isOwner: isOwner,
                hasFullAccess: isOwner || program?.status(for: .readWrite) == .authorized,
                permission: status?.rawValue,
                readOnlyFiles: isBoundary ? entry.readOnlyFiles : nil
            )
        }
    }

    /// Returns the identity of the client's program.
    ///
    /// If the program can read the library's files despite its sandbox, the identity contains a
    /// notice for the user.
    private func program(of identity: PeerIdentity) -> ProgramIdentity {
        var program = identity.program
        if canReadLibrary(identity) {
            program.notice =
                "Its sandbox lets it read the library’s files, so it could see all"
                + " photos anyway."
        }
        return program
    }

    /// Indicates whether the client's sandbox permits its program to read the library's files
    /// directly.
    private func canReadLibrary(_ identity: PeerIdentity) -> Bool {
        guard !identity.folders.isEmpty else { return false }
        func real(_ path: String) -> String { ReadOnlyFiles.realPath(path) ?? path }
        return identity.canRead(
            real(standardLibrary),
            home: real(ProcessInfo.processInfo.environment["HOME"] ?? "/"),
            pictures: real(EmbeddedLibrary.picturesFolder)
        )
    }

    private func observer(_ program: ClientProgram, isOwner: Bool) -> OpenedSession {
        OpenedSession(
            service: NoLibrary(program, desk: desk),
            library: "",
            answers: InMemoryAnsweredRequests(),
            isOwner: isOwner,
            hasFullAccess: false
        )
    }

    private static func refusal(of identity: PeerIdentity) -> LibraryError {
        let reason =
            switch identity.kind {
            case .sandboxed, .labeled: "It runs in a sandbox, or under a security profile."
            case .otherUser, .service: "It belongs to another user."
            case .host, .unknown: identity.problem
            }
        return LibraryError(
            .accessDenied,
            "\(identity.program.quotedName) cannot open the library as its owner.",
            reason: reason,
            recovery: "Use PHPhotoLibrary.shared(), whose access the owner of the library permits."
        )
    }
}
