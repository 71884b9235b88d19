import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization

/// A library that records its calls and answers with fabricated values.
final class RecordingLibrary: CallingLibrary {
    private struct State {
        var names: [String] = []
        var requests: [any Sendable] = []
        var files: [UInt8?] = []
        var replies: [any Sendable] = []
        var error: LibraryError?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let seed: UInt64
    private let replyDescriptorCount: Int?

    init(seed: UInt64, replyDescriptorCount: Int? = nil) {
        self.seed = seed
        self.replyDescriptorCount = replyDescriptorCount
    }

    var names: [String] { state.withLock { $0.names } }
    var lastRequest: (any Sendable)? { state.withLock { $0.requests.last } }
    var lastReply: (any Sendable)? { state.withLock { $0.replies.last } }
    /// The contents of the files of the last request.
    var lastFiles: [UInt8?] { state.withLock { $0.files } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Makes all calls fail.
    func fail(with error: LibraryError) { state.withLock { $0.error = error } }

    func close() { state.withLock { $0.isClosed = true } }

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        state.withLock { state in
            state.names.append("openSession")
            state.requests.append(request)
        }
        if let error = state.withLock(\.error) { throw error }
        return self
    }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        let error = state.withLock { state in
            state.names.append(call.name)
            state.requests.append(request)
            state.files = descriptors.map(TestDescriptors.byte)
            return state.error
        }
        if let error { throw error }
        let reply: Reply
        var files: [Descriptor] = []
        do {
            reply = try Fabrication(seed: seed).value(Reply.self)
            let count = replyDescriptorCount ?? call.replyDescriptors.upperBound
            files = try (0..<count).map { try TestDescriptors.memory(UInt8(0x40 + $0)) }
        } catch {
            throw LibraryError(.internalError, "\(error)")
        }
        state.withLock { $0.replies.append(reply) }
        return (reply, files)
    }
}
