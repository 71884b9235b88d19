internal import CloudSync
internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary

/// The downloads on demand of a cloud connection.
///
/// They use the store that a session has opened, or open it if there is no session.
extension CloudConnection {
    // MARK: - Requests

    /// Downloads the missing files of photos, one photo after the other.
    func download(_ identifiers: [String]) throws(LibraryError) -> CloudReply {
        let lease = try borrow()
        defer { lease.end() }
        // All of them use one host.
        let host = try retainedHost { CallContext.current?.isCancelled == true }
        defer { try? Self.wait { () throws(LibraryError) in await self.release(host) } }
        var outcomes: [CloudReply.Download] = []
        for identifier in identifiers {
            try CallContext.current?.checkCancellation()
            do throws(LibraryError) {
                outcomes.append(
                    .init(
                        localIdentifier: identifier,
                        outcome: try download(identifier, lease) ? .downloaded : .here
                    )
                )
            } catch {
                outcomes.append(
                    .init(localIdentifier: identifier, outcome: .failed, error: error)
                )
            }
        }
        monitor.update { $0.isKnown = false }
        var reply = try reply()
        reply.downloads = outcomes
        return reply
    }

    /// Downloads the missing files of a photo, and returns whether any file was missing.
    private func download(
        _ identifier: String,
        _ lease: CloudLease
    ) throws(LibraryError) -> Bool {
        let uuid = String(identifier.prefix { $0 != "/" })
        guard let contents = try lease.engine.missingContents(ofAsset: uuid) else {
            throw LibraryError(
                .identifierNotFound,
                "There is no asset \(identifier) in the library.",
                recovery: "Use an identifier that photos list shows.",
                identifiers: [identifier]
            )
        }
        for content in contents {
            try downloads.download(content) { [service] _, _ in
                service.mayContinue && CallContext.current?.isCancelled != true
            }
        }
        return !contents.isEmpty
    }

    // MARK: - Downloads

    /// Begins a download, and blocks until its transfer has started or failed.
    func begin(_ download: RequestedDownloads.Download, of content: ContentID) {
        do throws(LibraryError) {
            // The library stays open as long as the download runs.
            let lease = try service.lease(path)
            let host: SyncHost
            do throws(LibraryError) {
                host = try retainedHost { download.isCancelled }
            } catch {
                lease.end()
                throw error
            }
            download.run { [self] in
                var outcome = Result<Void, LibraryError>.success(())
                do throws(LibraryError) {
                    if try lease.engine.openContent(content) == nil {
                        let file = try await host.download(of: content)
                        download.note(size: file.size)
                        try await file.run { download.note(received: $0) }
                    }
                } catch {
                    outcome = .failure(error)
                }
                await release(host)
                lease.end()
                // The counts of the status are read again.
                monitor.update { $0.isKnown = false }
                download.end(outcome)
            }
        } catch {
            download.end(.failure(error))
        }
    }

    // MARK: - The host

    /// Returns a host with an open store: the current host, even if a session uses it, or a new
    /// host.
    ///
    /// Its store stays open until `release(_:)`.
    ///
    /// - Throws: `cancelled` if `isCancelled` returns true while another operation is awaited.
    private func retainedHost(isCancelled: () -> Bool) throws(LibraryError) -> SyncHost {
        let deadline = SuspendingClock.now + Self.patience
        while true {
            let pause = min(deadline, SuspendingClock.now + .milliseconds(100))
            let found: SyncHost?? = monitor.wait(before: pause) { state in
                if let host = state.open { return .some(host) }
                return state.isBusy ? nil : .some(nil)
            }
            guard let found else {
                if isCancelled() { throw RequestedDownloads.cancelled }
                guard pause < deadline else { throw Self.isSyncing }
                continue
            }
            guard let host = found else { break }
            if try Self.wait({ () throws(LibraryError) in await host.retain() }) { return host }
            forget(host)
        }
        return try exclusively { [self] lease throws(LibraryError) in
            try await withHost(lease) { host throws(LibraryError) in
                _ = await host.retain()
                return host
            }
        }
    }

    private func release(_ host: SyncHost) async {
        await host.release()
        await forgetIfClosed(host)
    }

    /// Drops the reference to a host if the host has closed its store.
    func forgetIfClosed(_ host: SyncHost) async {
        if await host.isClosed { forget(host) }
    }

    private func forget(_ host: SyncHost) {
        monitor.update { state in
            if state.open === host { state.open = nil }
        }
    }
}
