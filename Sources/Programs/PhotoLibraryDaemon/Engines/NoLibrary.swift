internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary

/// The session of a client that asks for the state of the daemon only.
final class NoLibrary: CallingLibrary {
    func status() throws(LibraryError) -> LibraryStatus {
        LibraryStatus(path: "", version: 0, readOnlyReason: nil)
    }

    func close() {}

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
        reason: "It was opened to ask for the state of the daemon.",
        recovery: "Open another connection, as a program or as the owner."
    )
}
