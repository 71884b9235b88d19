internal import Foundation
internal import Synchronization

/// The means of signing in on this machine besides the link that `photos serve` prints: the socket
/// of `photos serve --new-link`, and redirect files.
final class OpenWays: Sendable {
    private struct State {
        var socket: LinkSocket?
        var files: [RedirectFile] = []
    }

    private let state = Mutex(State())

    /// Retains a link socket until ``close()`` is called.
    func keep(_ socket: LinkSocket) { state.withLock { $0.socket = socket } }

    /// Writes a redirect file: an HTML file with which one browser can sign in.
    ///
    /// - Returns: The file's URL; nil before the server listens.
    func makeFile(_ tokens: StartTokens) throws -> URL? {
        let file = try RedirectFile()
        let link = tokens.makeLink(lasting: RedirectFile.patience) { file.remove() }
        guard let link else { return nil }
        try file.write(link)
        state.withLock { $0.files.append(file) }
        Task {
            try await Task.sleep(for: RedirectFile.patience)
            file.remove()
        }
        return file.url
    }

    /// Closes the link socket and removes all redirect files.
    func close() {
        let was = state.withLock { state in
            defer { state = State() }
            return state
        }
        was.socket?.stop()
        for file in was.files { file.remove() }
    }
}
