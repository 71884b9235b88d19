/// The operations whose last attempt failed, with their errors.
struct FailedOperations {
    /// The failures, the latest one last.
    private var failures: [(operation: String, error: any Error)] = []

    /// The error of the latest failure; nil if there is none.
    var lastError: (any Error)? { failures.last?.error }

    var isEmpty: Bool { failures.isEmpty }

    /// Records a failed attempt.
    ///
    /// - Parameters:
    ///   - operation: The name of the operation.
    ///   - error: The error of the attempt, which replaces that of an earlier attempt.
    /// - Returns: Whether the previous attempt did not fail.
    mutating func insert(_ operation: String, _ error: any Error) -> Bool {
        let hadFailed = remove(operation)
        failures.append((operation, error))
        return !hadFailed
    }

    /// Records a successful attempt, and returns whether the previous one failed.
    @discardableResult
    mutating func remove(_ operation: String) -> Bool {
        guard let index = failures.firstIndex(where: { $0.operation == operation }) else {
            return false
        }
        failures.remove(at: index)
        return true
    }
}
