import ImagePipeline
import PhotoModel
import Synchronization
import Testing

/// Each handler runs at most once.
@Suite(.timeLimit(.minutes(1))) struct RequestCancellationTests {
    @Test func handlersRunOnceInTheirTime() {
        let calls = Mutex<[String]>([])
        let cancellation = RequestCancellation()
        _ = cancellation.onCancel { calls.withLock { $0.append("kept") } }
        let number = cancellation.onCancel { calls.withLock { $0.append("forgotten") } }
        cancellation.forget(number)
        #expect(!cancellation.isCancelled)
        #expect(throws: Never.self) { try cancellation.check() }
        cancellation.cancel()
        cancellation.cancel()
        #expect(calls.withLock { $0 } == ["kept"])
        #expect(cancellation.isCancelled)
        // After the fact, at once.
        _ = cancellation.onCancel { calls.withLock { $0.append("late") } }
        #expect(calls.withLock { $0 } == ["kept", "late"])
        cancellation.cancel()
        #expect(calls.withLock { $0.count } == 2)
    }

    @Test func checksThrowCancelled() {
        let cancellation = RequestCancellation()
        cancellation.cancel()
        let error = #expect(throws: LibraryError.self) { try cancellation.check() }
        #expect(error?.code == .cancelled)
    }

    @Test func aHandlerMayUseItsCancellation() {
        let cancellation = RequestCancellation()
        let isSeen = Mutex(false)
        _ = cancellation.onCancel {
            isSeen.withLock { $0 = cancellation.isCancelled }
            cancellation.forget(1)
            cancellation.cancel()
        }
        cancellation.cancel()
        #expect(isSeen.withLock { $0 })
    }
}
