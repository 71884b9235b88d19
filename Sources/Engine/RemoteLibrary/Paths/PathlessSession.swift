package import LibraryService
package import PhotoModel

/// A session for a client that does not own the library, and that must not learn absolute paths of
/// this computer.
///
/// Paths are removed from replies and errors only here. The client accesses files by the
/// descriptors that it receives.
///
/// 1. The paths of replies and errors are nil. Their texts name files of the library relative to
///    the folder that contains the library.
/// 2. An error may repeat a path that the client itself has stated.
/// 3. Content of the library, such as titles, is never changed, even if it contains a path.
/// 4. A client cannot make the daemon read a file of this computer by naming its path.
package final class PathlessSession: CallingLibrary, MemoryReleasing {
    private let base: any LibraryService
    private let paths: ConcealedPaths

    /// Creates a session that removes paths from the replies of another session.
    ///
    /// - Parameter base: The session that knows the paths.
    /// - Throws: The reason why the library's state cannot be read; the session is then closed.
    package convenience init(_ base: any LibraryService) throws(LibraryError) {
        do throws(LibraryError) {
            self.init(base, ConcealedPaths(library: try base.status().path))
        } catch {
            base.close()
            throw error
        }
    }

    private init(_ base: any LibraryService, _ paths: ConcealedPaths) {
        self.base = base
        self.paths = paths
    }

    package func close() { base.close() }

    package func releaseMemory() { (base as? any MemoryReleasing)?.releaseMemory() }

    package func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        do throws(LibraryError) {
            return PathlessSession(try base.openSession(request), paths)
        } catch {
            throw paths.error(error)
        }
    }

    package func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        if let check = request as? VerifyRequest, check.donor != nil { throw Self.donorRefusal }
        do throws(LibraryError) {
            let result = try call.perform(with: base, request, descriptors: descriptors)
            return (paths.concealed(result.reply), result.descriptors)
        } catch {
            throw paths.error(error, known: Self.paths(of: request))
        }
    }

    private static let donorRefusal = LibraryError(
        .accessDenied,
        "Only the library's owner may repair it from another copy.",
        recovery: "Run photos verify --repair --from."
    )

    /// Returns the file paths in a client's request, which may appear in errors for that client.
    private static func paths(of request: Any) -> [String] {
        switch request {
        case let request as StageRequest: [request.path].compactMap(\.self)
        case let request as CommitRequest: request.changes.resources.compactMap(\.path)
        default: []
        }
    }
}

extension ConcealedPaths {
    /// Returns a reply without absolute paths.
    package func concealed<Reply>(_ reply: Reply) -> Reply {
        guard var concealed = reply as? any ConcealingPaths else { return reply }
        concealed.conceal(self)
        return concealed as? Reply ?? reply
    }
}
