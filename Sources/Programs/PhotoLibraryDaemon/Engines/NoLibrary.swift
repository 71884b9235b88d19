internal import EmbeddedLibrary
internal import LibraryService
internal import PhotoModel
internal import ProgramAccess
internal import RemoteLibrary

/// A session without a library, for clients that ask for the daemon's state or for their own
/// permission.
final class NoLibrary: CallingLibrary {
    private let authorization: ProgramAuthorization

    /// Creates a session for a program that the daemon has identified.
    init(_ program: ClientProgram, desk: QuestionDesk) {
        authorization = ProgramAuthorization(program, desk: desk)
    }

    func status() throws(LibraryError) -> LibraryStatus {
        LibraryStatus(path: "", version: 0, readOnlyReason: nil)
    }

    func close() {}

    func authorizationStatus(_ request: AuthorizationStatusRequest) throws(LibraryError)
        -> AuthorizationStatusReply
    {
        try authorization.authorizationStatus(request)
    }

    func requestAuthorization(_ request: AuthorizationRequest) throws(LibraryError)
        -> AuthorizationReply
    {
        try authorization.requestAuthorization(request)
    }

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        throw Self.refusal
    }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        throw Self.refusal
    }

    private static let refusal = LibraryError(
        .invalidRequest,
        "This connection to the library daemon has no library.",
        reason: "It was opened to ask for the state of the daemon, or for permission.",
        recovery: "Open another connection, as a program or as the owner."
    )
}
