internal import ObjectStorage
internal import StoreProtocol

extension StoreProcess {
    /// Passes the pieces of an object to a receiver, one after the other.
    ///
    /// The receiver is canceled if the call fails.
    func receive(
        _ call: PendingCall,
        of key: ObjectKey,
        into receiver: @escaping ObjectReceiver
    ) async throws -> StoreResult {
        try await withThrowingTaskGroup(of: StoreResult?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await call.answer.value() }
            group.addTask { [self] in
                for await piece in call.pieces {
                    do {
                        try await receiver(Array(piece))
                    } catch  where !(error is CancellationError) {
                        throw ObjectStoreError.receiverFailed(key, cause: error)
                    }
                    grant(call)
                }
                return nil
            }
            var result: StoreResult?
            while let next = try await group.next() { result = next ?? result }
            // The task of the answer ended without an error.
            guard let result else { throw CancellationError() }
            return result
        }
    }
}
