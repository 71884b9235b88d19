import Testing

@testable import Photos

/// Every sequence of events that a request can see, up to a length.
@Suite(.timeLimit(.minutes(1))) struct RequestMachineTests {
    private enum Event: CaseIterable {
        case cancel, beginCall, endCall, partial, last, cancellation, end

        /// The result that the event delivers; nil for others.
        var result: RequestMachine.Result? {
            switch self {
            case .partial: .partial
            case .last: .last
            case .cancellation: .cancellation
            case .cancel, .beginCall, .endCall, .end: nil
            }
        }
    }

    /// What was seen of a request, recorded from the actions alone.
    private struct Record {
        var lastCount = 0
        var cancelCount = 0
        var callIsRunning = false
        var problem: String?

        mutating func require(_ condition: Bool, _ text: String) {
            if !condition, problem == nil { problem = text }
        }

        mutating func add(_ event: Event, to machine: inout RequestMachine) {
            let isOver = lastCount > 0
            switch event {
            case .cancel:
                let action = machine.cancel()
                require((action == .ignore) == (isOver || cancelCount > 0), "a second cancellation")
                guard case .stop(let cancelsCall) = action else { return }
                require(cancelsCall == callIsRunning, "the call of a cancellation")
                cancelCount += 1
            case .beginCall:
                let begins = machine.beginCall()
                require(begins == (!isOver && cancelCount == 0), "a call after the end")
                callIsRunning = begins
            case .endCall:
                machine.endCall()
                callIsRunning = false
            case .partial, .last, .cancellation:
                guard let result = event.result else { return }
                let action = machine.deliver(result)
                let isWanted = !isOver && (result == .cancellation) == (cancelCount > 0)
                let expected: RequestMachine.DeliverAction =
                    isWanted ? .callHandler(isLast: result != .partial) : .drop
                require(action == expected, "the delivery of \(result)")
                if action == .callHandler(isLast: true) { lastCount += 1 }
            case .end:
                let result = machine.end()
                let expected: RequestMachine.Result = cancelCount > 0 ? .cancellation : .last
                require(result == (isOver ? nil : expected), "the end of the work")
                if result != nil { lastCount += 1 }
            }
            require(lastCount <= 1 && cancelCount <= 1, "two last results")
            require(machine.isCalling == callIsRunning, "a call that runs")
            require(machine.isOpen == (lastCount == 0 && cancelCount == 0), "an open request")
        }
    }

    @Test func eachSequenceDeliversOneLastResult() {
        var count = 0
        func visit(_ machine: RequestMachine, _ record: Record, _ events: [Event]) {
            count += 1
            if let problem = record.problem {
                Issue.record("\(events): \(problem)")
                return
            }
            guard events.count < 6 else { return }
            for event in Event.allCases {
                var (next, seen) = (machine, record)
                seen.add(event, to: &next)
                visit(next, seen, events + [event])
            }
        }
        visit(RequestMachine(), Record(), [])
        #expect(count == (0...6).reduce(0) { sum, _ in sum * 7 + 1 })
    }

    @Test func aCancellationBeforeTheStartIsTheOnlyResult() {
        var machine = RequestMachine()
        #expect(machine.cancel() == .stop(cancelsCall: false))
        #expect(!machine.isOpen && !machine.beginCall())
        #expect(machine.deliver(.partial) == .drop)
        #expect(machine.deliver(.last) == .drop)
        #expect(machine.deliver(.cancellation) == .callHandler(isLast: true))
        #expect(machine.deliver(.cancellation) == .drop)
        #expect(machine.state == .ended)
    }
}
