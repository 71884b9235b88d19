import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PhotosGallery

/// Requests never wait long for a value that has been computed before.
@Suite(.timeLimit(.minutes(1))) struct RecomputedValueTests {
    private struct Failure: Error {}

    /// Longer than any computation here takes, unless the test keeps it waiting.
    private let patience = Duration.milliseconds(500)

    /// A value whose computations wait until they are let go.
    private final class Gate: Sendable {
        let start = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        private let count = Mutex(0)

        var number: Int { count.withLock(\.self) }

        func compute() -> Int {
            start.signal()
            end.wait()
            return count.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test func currentValuesAreKept() throws {
        let value = RecomputedValue<Int>()
        #expect(try value.value(renewed: { _ in nil }, compute: { 1 }) == 1)
        #expect(try value.value(renewed: { $0 + 10 }, compute: { 2 }) == 11)
        #expect(try value.value(renewed: { $0 }, compute: { 3 }) == 11)
        #expect(try value.value(renewed: { _ in nil }, compute: { 4 }) == 4)
    }

    @Test func requestsTakeTheFormerValueWhileANewOneIsComputed() throws {
        let value = RecomputedValue<Int>(patience: patience)
        let gate = Gate()
        gate.end.signal()
        #expect(try value.value(renewed: { _ in nil }, compute: gate.compute) == 1)
        gate.start.wait()
        // Nobody lets the second one go: each request returns nevertheless.
        for _ in 0..<3 {
            #expect(try value.value(renewed: { _ in nil }, compute: gate.compute) == 1)
        }
        gate.start.wait()
        #expect(gate.number == 1)
        gate.end.signal()
        // It took long, so there is no third one at once.
        while try value.value(renewed: { $0 == 2 ? 2 : nil }, compute: gate.compute) != 2 {}
        #expect(try value.value(renewed: { _ in nil }, compute: gate.compute) == 2)
        #expect(gate.start.wait(timeout: .now()) == .timedOut)
    }

    /// A request that waited gets its value although it is forgotten at once.
    @Test func aForgottenValueIsNoError() throws {
        let value = RecomputedValue<Int>()
        let isDone = Mutex(false)
        let forgetting = Thread {
            while !isDone.withLock(\.self) { value.forget() }
        }
        forgetting.start()
        for number in 0..<300 {
            #expect(try value.value(renewed: { _ in nil }, compute: { number }) >= 0)
        }
        isDone.withLock { $0 = true }
    }

    @Test func requestsAtTheSameTimeShareAComputation() throws {
        let value = RecomputedValue<Int>()
        let gate = Gate()
        let results = Mutex<[Int]>([])
        let group = DispatchGroup()
        for _ in 0..<8 {
            group.enter()
            Thread.detachNewThread {
                let result = try? value.value(renewed: { $0 }, compute: gate.compute)
                results.withLock { $0.append(result ?? 0) }
                group.leave()
            }
        }
        gate.start.wait()
        gate.end.signal()
        group.wait()
        #expect(results.withLock(\.self) == [Int](repeating: 1, count: 8))
    }

    @Test func forgottenValuesAreComputedBeforeTheNextRequestEnds() throws {
        let value = RecomputedValue<Int>(patience: patience)
        let gate = Gate()
        gate.end.signal()
        #expect(try value.value(renewed: { _ in nil }, compute: gate.compute) == 1)
        #expect(try value.value(renewed: { _ in nil }, compute: gate.compute) == 1)
        // One is computed, of a state that is over.
        value.forget()
        gate.end.signal()
        gate.end.signal()
        #expect(try value.value(renewed: { $0 }, compute: gate.compute) == 3)
    }

    @Test func aFormerValueThatMayNotBeReturnedIsComputedAgainFirst() throws {
        // No request waits for a value if it may use a former one.
        let value = RecomputedValue<Int>(patience: .zero)
        let gate = Gate()
        gate.end.signal()
        #expect(try value.value(renewed: { _ in nil }, compute: gate.compute) == 1)
        gate.start.wait()
        Thread.detachNewThread {
            gate.start.wait()
            gate.end.signal()
        }
        let second = try value.value(
            renewed: { _ in nil },
            permitted: { $0 > 1 },
            compute: gate.compute
        )
        #expect(second == 2)
    }

    /// The first computation began before the change because of which its value may not be
    /// returned, and ends while a request waits for it.
    @Test func aRunningComputationWhoseValueMayNotBeReturnedIsRepeated() throws {
        let value = RecomputedValue<Int>(patience: .zero)
        let gate = Gate()
        Thread.detachNewThread {
            _ = try? value.value(renewed: { $0 }, compute: gate.compute)
        }
        gate.start.wait()
        Thread.detachNewThread {
            gate.end.signal()
            gate.end.signal()
        }
        let second = try value.value(
            renewed: { $0 > 1 ? $0 : nil },
            permitted: { $0 > 1 },
            compute: gate.compute
        )
        #expect(second == 2)
    }

    @Test func failuresAreThrownAndTriedAgain() throws {
        let value = RecomputedValue<Int>()
        #expect(throws: Failure.self) {
            try value.value(renewed: { $0 }, compute: { throw Failure() })
        }
        #expect(try value.value(renewed: { $0 }, compute: { 7 }) == 7)
        #expect(throws: Failure.self) {
            try value.value(renewed: { _ in nil }, compute: { throw Failure() })
        }
        #expect(try value.value(renewed: { $0 }, compute: { 8 }) == 7)
    }
}
