import FoundationEssentials
import TestSupport
import WorkerClient

extension WorkerPool {
    /// Workers shared by tests that only send requests; starting one for each case takes longer
    /// than most cases.
    static let shared = WorkerPool(
        configuration: WorkerPool.Configuration(executable: BuiltProducts.worker.path)
    )
}
