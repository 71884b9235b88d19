internal import Foundation
internal import Synchronization

/// An enumeration of indexes in the order, and with the concurrency, that `NSEnumerationOptions`
/// specify.
struct FetchEnumeration {
    typealias Visit = (Int, UnsafeMutablePointer<ObjCBool>) -> Void

    /// The number of adjacent indexes per chunk, equal to the batch size so that threads load
    /// different batches.
    private static let chunkSize = FetchedAssets.batchSize

    let indexes: IndexSet
    let options: NSEnumerationOptions

    /// Calls `visit` for each index until the stop flag is set, and returns after all calls have
    /// returned.
    func run(_ visit: @escaping Visit) {
        if options.contains(.concurrent) {
            visitConcurrently(visit)
        } else if options.contains(.reverse) {
            visitInOrder(indexes.reversed(), visit)
        } else {
            visitInOrder(indexes, visit)
        }
    }

    private func visitInOrder(_ indexes: some Sequence<Int>, _ visit: Visit) {
        var stop = ObjCBool(false)
        for index in indexes {
            visit(index, &stop)
            if stop.boolValue { return }
        }
    }

    private func visitConcurrently(_ visit: @escaping Visit) {
        let all = options.contains(.reverse) ? indexes.reversed() : Array(indexes)
        let chunkSize = Self.chunkSize
        let isStopped = StopFlag()
        let visitor = ConcurrentVisitor(visit: visit)
        DispatchQueue.concurrentPerform(iterations: (all.count + chunkSize - 1) / chunkSize) {
            chunk in
            var stop = ObjCBool(false)
            for index in all[chunk * chunkSize..<min((chunk + 1) * chunkSize, all.count)] {
                if isStopped.value.load(ordering: .relaxed) { return }
                visitor.visit(index, &stop)
                if stop.boolValue { isStopped.value.store(true, ordering: .relaxed) }
            }
        }
    }
}

/// A flag that stops the other threads of a concurrent enumeration.
private final class StopFlag: Sendable {
    let value = Atomic(false)
}

/// Wraps a client's block so that several threads can call it.
///
/// Unchecked because the block's type does not say whether it is safe to call concurrently. The
/// caller of a concurrent enumeration promises that it is, as on every system.
private struct ConcurrentVisitor: @unchecked Sendable {
    let visit: FetchEnumeration.Visit
}
