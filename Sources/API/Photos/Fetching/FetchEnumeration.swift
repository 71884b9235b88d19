internal import Foundation
internal import Synchronization

/// Goes through indexes in the way that `NSEnumerationOptions` say.
struct FetchEnumeration {
    typealias Visit = (Int, UnsafeMutablePointer<ObjCBool>) -> Void

    /// Indexes of one chunk are next to each other, so that threads do not load the same batches.
    private static let chunkSize = FetchedAssets.batchSize

    let indexes: IndexSet
    let options: NSEnumerationOptions

    /// Calls `visit` for each index until the flag is set; returns when all calls have returned.
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

/// Tells the threads of one enumeration that a block wants to stop.
private final class StopFlag: Sendable {
    let value = Atomic(false)
}

/// Carries a client's block to several threads.
///
/// Unchecked because the block's type does not say whether it may: who asks for a concurrent
/// enumeration promises that it may, as on every system.
private struct ConcurrentVisitor: @unchecked Sendable {
    let visit: FetchEnumeration.Visit
}
