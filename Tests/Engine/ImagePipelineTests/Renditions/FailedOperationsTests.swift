import Testing

@testable import ImagePipeline

/// The operations that have failed and not succeeded since.
@Suite(.timeLimit(.minutes(1))) struct FailedOperationsTests {
    private enum Failure: Error {
        case first, second
    }

    @Test func aFailureEndsWithTheSuccessOfItsOperationOnly() {
        var operations = FailedOperations()
        #expect(operations.isEmpty && operations.lastError == nil)
        let areNew = [
            operations.insert("read", Failure.first), operations.insert("write", Failure.second),
        ]
        #expect(areNew == [true, true])
        #expect(operations.lastError as? Failure == .second)
        let endsOne = [operations.remove("write"), operations.remove("write")]
        #expect(endsOne == [true, false])
        #expect(operations.lastError as? Failure == .first)
        let endsOther = operations.remove("read")
        #expect(endsOther)
        #expect(operations.isEmpty && operations.lastError == nil)
    }

    @Test func aRepeatedFailureIsNotNew() {
        var operations = FailedOperations()
        let areNew = [
            operations.insert("read", Failure.first), operations.insert("write", Failure.first),
            operations.insert("read", Failure.second),
        ]
        #expect(areNew == [true, true, false])
        #expect(operations.lastError as? Failure == .second)
        let ends = operations.remove("read")
        #expect(ends)
        #expect(operations.lastError as? Failure == .first)
        let isNew = operations.insert("read", Failure.first)
        #expect(isNew)
    }
}
