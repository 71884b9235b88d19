import FoundationEssentials
import TestSupport
import WorkerClient

extension WorkerPool {
    /// Workers that tests share which only ask them for something: starting one for each case takes
    /// longer than most cases.
    static let shared = WorkerPool(
        configuration: WorkerPool.Configuration(executable: BuiltProducts.worker.path)
    )
}
