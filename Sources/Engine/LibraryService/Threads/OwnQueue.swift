package import Dispatch

/// Queues for work that programs wait for, which take no thread from the pool that Dispatch shares.
///
/// Dispatch's global queues and all concurrent queues share a few threads. If blocks of a program
/// occupy these threads while they wait for a request, a concurrent queue gets none, and the
/// request does not end. Dispatch starts another thread for a serial queue, up to 255 for each
/// quality of service.
package enum OwnQueue {
    /// Runs a closure on a serial queue that runs nothing else.
    ///
    /// - Parameters:
    ///   - label: The label of the queue.
    ///   - qos: The quality of service, which determines the priority of the thread.
    ///   - body: The closure, which may block.
    package static func run(
        _ label: String,
        qos: DispatchQoS = .default,
        _ body: @escaping @Sendable () -> Void
    ) {
        DispatchQueue(label: label, qos: qos).async(execute: body)
    }
}
