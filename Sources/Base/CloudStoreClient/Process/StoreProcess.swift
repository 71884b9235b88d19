internal import Glibc
internal import ObjectStorage
internal import StoreProtocol
internal import Synchronization
internal import WorkerProtocol

/// A running `photos-cloud` process with an open store.
///
/// One thread reads answers until the process ends, and another one sends requests. The process
/// ends when its socket is closed. Its answers are not trusted: the process is ended after an
/// answer that violates the protocol.
package final class StoreProcess: Sendable {
    private struct State {
        /// The calls that wait for an answer, by call number.
        var calls: [Int64: PendingCall] = [:]
        /// The call numbers of canceled calls that the process must still answer.
        var abandoned: Set<Int64> = []
        var count: Int64 = 0
        /// Indicates whether the process has ended, or no further answers are read from it.
        var isOver = false
        /// Indicates whether the process may have been reaped, so that its identifier may belong to
        /// another process.
        var isReaped = false
        /// The reason why this program ended the process; nil if it did not.
        var reason: ObjectStoreError?
    }

    /// The identifier of the process; nil for the fake processes of tests.
    let identifier: Int32?
    let report: SandboxReport
    /// The socket, which is closed when its last user releases it.
    private let socket: OpenFile
    private let connection: MessageConnection
    private let sender: MessageSender
    private let state = Mutex(State())

    /// The time limit for the process to answer a canceled call.
    private static let patience = Duration.seconds(20)

    /// Creates an instance for a process that has confirmed that its store is open.
    init(
        identifier: Int32?,
        socket: OpenFile,
        connection: MessageConnection,
        report: SandboxReport
    ) {
        self.identifier = identifier
        self.socket = socket
        self.connection = connection
        self.report = report
        sender = MessageSender(socket, connection)
    }

    // MARK: - Calls

    /// Sends a call and returns the object that will receive the answer.
    ///
    /// - Throws: `unreachable` after the end; nothing was sent then.
    func begin(
        _ call: StoreCall,
        file: OpenFile? = nil,
        milliseconds: Int64
    ) throws(ObjectStoreError) -> PendingCall {
        let pending = state.withLock { state -> PendingCall? in
            guard !state.isOver else { return nil }
            state.count += 1
            let pending = PendingCall(number: state.count, call)
            state.calls[state.count] = pending
            return pending
        }
        guard let pending else { throw .lostProcess }
        sender.send(StoreRequest.call(pending.number, call, milliseconds: milliseconds), file: file)
        return pending
    }

    /// Permits the process to send one more piece of an object.
    func grant(_ call: PendingCall) {
        call.grant()
        sender.send(StoreRequest.credit(call.number))
    }

    /// Cancels a call whose caller no longer waits for the answer.
    ///
    /// The process must still answer the call. A process that does not do so in time is ended,
    /// since it seems to hang.
    func abandon(_ call: PendingCall) {
        let isPending = state.withLock { state in
            guard state.calls.removeValue(forKey: call.number) != nil else { return false }
            state.abandoned.insert(call.number)
            return true
        }
        guard isPending else { return }
        sender.send(StoreRequest.cancel(call.number))
        Task.detached { [weak self] in
            try await Task.sleep(for: Self.patience)
            guard let self, state.withLock({ $0.abandoned.contains(call.number) }) else { return }
            end(.unansweredCancellation)
        }
    }

    // MARK: - Answers

    /// Reads answers until the process ends, and reaps it.
    ///
    /// `whenOver` is called before any call fails.
    func readAnswers(whenOver: () -> Void) {
        var reason: ObjectStoreError?
        do throws(ConnectionError) {
            while true {
                let (reply, descriptor) = try connection.receive(StoreReply.self)
                // It is closed unless a call takes it.
                guard accept(reply, descriptor.map { OpenFile(owning: $0) }) else {
                    reason = .confusedProcess
                    break
                }
            }
        } catch {
            switch error {
            case .tooLong, .malformed: reason = .confusedProcess
            case .closed, .timedOut, .system: break
            }
        }
        whenOver()
        let calls = state.withLock { state in
            state.isOver = true
            reason = state.reason ?? reason
            defer { state.calls = [:] }
            return Array(state.calls.values)
        }
        end(nil)
        for call in calls {
            let error = (reason ?? .lostProcess).withUnknownOutcome(call.isChange)
            call.end(.failure(error))
        }
        reap()
    }

    /// Handles an answer and the file that was sent with it; returns false if the answer violates
    /// the protocol.
    private func accept(_ reply: StoreReply, _ file: OpenFile?) -> Bool {
        switch reply {
        case .piece(let number, let bytes):
            guard let call = state.withLock({ $0.calls[number] }) else {
                return state.withLock { $0.abandoned.contains(number) }
            }
            return call.receive(bytes)
        case .done(let number, let result): return end(number, .success(result), file)
        case .failed(let number, let failure): return end(number, .failure(failure.error))
        case .hello, .ready, .refused: return false
        }
    }

    private func end(
        _ number: Int64,
        _ result: Result<StoreResult, any Error>,
        _ file: OpenFile? = nil
    ) -> Bool {
        let (call, isKnown) = state.withLock { state in
            let call = state.calls.removeValue(forKey: number)
            return (call, state.abandoned.remove(number) != nil || call != nil)
        }
        if let file { call?.attach(file) }
        call?.end(result)
        return isKnown
    }

    // MARK: - End

    /// Kills the process; the calls that are in progress fail.
    func end(_ reason: ObjectStoreError?) {
        sender.close()
        state.withLock { state in
            if state.reason == nil { state.reason = reason }
            guard !state.isReaped else { return }
            // Ends the wait of the reading thread.
            shutdown(socket.descriptor, Int32(SHUT_RDWR))
            if let identifier { kill(identifier, SIGKILL) }
        }
    }

    private func reap() {
        state.withLock { $0.isReaped = true }
        guard let identifier else { return }
        while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }
}
