internal import CloudHost
internal import DaemonCore
internal import EmbeddedLibrary
internal import PhotoModel
internal import RemoteLibrary

/// Opens the daemon's libraries for cloud synchronization.
struct EngineLibraries: CloudLibraries {
    let engines: EngineTable

    func open(_ path: String) throws(LibraryError) -> CloudLease {
        let entry = try engines.use(path)
        return CloudLease(
            engine: entry.engine,
            holdsLock: { entry.duties.holdsLock },
            end: { [engines] in engines.release(path, entry) }
        )
    }
}

/// Handles requests about cloud libraries.
///
/// After each request, the background synchronization checks for new cloud libraries.
struct CloudAnswers: CloudAnswering {
    let service: CloudService
    let background: CloudBackground

    func answer(_ request: CloudRequest) throws(LibraryError) -> CloudReply {
        defer { background.wake() }
        return try service.answer(request)
    }
}
