internal import CLinuxShim
internal import CSandboxShim
internal import Dispatch
internal import Glibc
internal import ObjectStorage
internal import StoreProtocol
internal import Synchronization
internal import WorkerProtocol

/// Opens the store that the host names, and answers the host's calls until it disconnects.
struct CloudServer {
    private let socket: OpenFile
    private let connection: MessageConnection

    init(socket: Int32) {
        self.socket = OpenFile(owning: socket)
        connection = MessageConnection(socket: socket)
    }

    /// Opens the store, answers calls until the host disconnects, and exits.
    func run() -> Never {
        cphotos_keep_heap_small()
        do throws(ConnectionError) {
            guard try greet(), let store = try configure() else { _exit(1) }
            serve(RunningCalls(store, MessageSender(socket, connection)))
        } catch {
            _exit(error == .closed ? 0 : 1)
        }
    }

    /// Answers calls until the host disconnects; then exits without closing the store, because
    /// calls may still run.
    private func serve(_ calls: RunningCalls) -> Never {
        do throws(ConnectionError) {
            while true {
                let (request, descriptor) = try connection.receive(StoreRequest.self)
                let file = descriptor.map { OpenFile(owning: $0) }
                switch request {
                case .call(let number, let call, let milliseconds):
                    calls.start(number, call, file, timeout: .milliseconds(milliseconds))
                case .credit(let number): calls.grant(number)
                case .cancel(let number): calls.cancel(number)
                case .hello, .configure: _exit(1)
                }
            }
        } catch {
            _exit(error == .closed ? 0 : 1)
        }
    }

    /// Exchanges protocol versions with the host; returns false if they differ.
    private func greet() throws(ConnectionError) -> Bool {
        let (request, stray) = try connection.receive(StoreRequest.self)
        if let stray { close(stray) }
        guard case .hello(let version) = request else { return false }
        let isSame = version == StoreProtocolVersion.current
        if isSame { connection.useBinaryForm() }
        try connection.send(StoreReply.hello(version: StoreProtocolVersion.current))
        return isSame
    }

    /// Enters the sandbox and opens the store; returns nil after a failure.
    private func configure() throws(ConnectionError) -> (any ObjectStore)? {
        let (request, stray) = try connection.receive(StoreRequest.self)
        if let stray { close(stray) }
        guard case .configure(let place, let allowsUnconfined) = request else { return nil }
        do throws(ObjectStoreError) {
            let report = try CloudSandbox.enter(place, allowsUnconfined: allowsUnconfined)
            let code = cphotos_exit_with_peer(connection.socket)
            guard code == 0 else {
                throw SystemFailure(call: "pthread_create", number: code)
                    .storeError(doing: "start a thread", in: "photos-cloud")
            }
            let store = try Self.wait(for: place)
            try? connection.send(StoreReply.ready(report))
            return store
        } catch {
            try connection.send(StoreReply.refused(StoreFailure(error)))
            return nil
        }
    }

    /// Opens the store and blocks the calling thread until the attempt has ended.
    private static func wait(
        for place: StorePlace
    ) throws(ObjectStoreError) -> any ObjectStore {
        let result = Mutex<Result<any ObjectStore, ObjectStoreError>?>(nil)
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            let opened: Result<any ObjectStore, ObjectStoreError>
            do throws(ObjectStoreError) {
                opened = .success(try await OpenedStore.open(place))
            } catch {
                opened = .failure(error)
            }
            result.withLock { $0 = opened }
            end.signal()
        }
        end.wait()
        // The task stored it before its signal.
        guard let result = result.withLock(\.self) else { throw .cancelled("open the store") }
        return try result.get()
    }
}
