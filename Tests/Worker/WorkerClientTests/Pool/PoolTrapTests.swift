import Foundation
import PhotoModel
import Testing
import WorkerClient
import WorkerProtocol

/// Errors of the engine's own programmers stop the program before a worker starts.
@Suite(.timeLimit(.minutes(2)))
struct PoolTrapTests {
    @Test func poolsWithoutWorkers() async {
        await #expect(processExitsWith: .failure) {
            _ = WorkerPool(configuration: .init(maximumWorkers: 0))
        }
    }
}
