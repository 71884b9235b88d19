internal import Foundation
internal import Synchronization

/// The ways in besides the printed link: the socket of `photos serve --new-link`, and files for browsers.
final class OpenWays: Sendable {
    private struct State {
        var socket: LinkSocket?
        var files: [RedirectFile] = []
    }

    private let state = Mutex(State())

    /// Keeps a socket until the end.
    func keep(_ socket: LinkSocket) { state.withLock { $0.socket = socket } }

    /// Writes a file that leads a browser in once.
    ///
    /// - Returns: The file, or nil before the server listens.
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

    /// Removes all that is there.
    func close() {
        let was = state.withLock { state in
            defer { state = State() }
            return state
        }
        was.socket?.stop()
        for file in was.files { file.remove() }
    }
}
