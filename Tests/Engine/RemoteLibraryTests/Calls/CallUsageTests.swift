import LibraryService
import RemoteLibrary
import Testing

/// The limits of the calls in progress.
@Suite(.timeLimit(.minutes(1))) struct CallUsageTests {
    private func cost(_ call: any AnyCall, bytes: Int = 0) -> CallCost {
        let body = [UInt8](repeating: 0, count: bytes)
        return CallCost(call, EncodedMessage(body: body, descriptors: []))
    }

    @Test func immediateCallsAreCountedApart() {
        var limits = CallLimits()
        limits.calls = 2
        limits.immediateCalls = 1
        var usage = CallUsage(limits)
        let (read, cancellation) = (
            cost(CallTable.shared.status), cost(CallTable.shared.cancel)
        )
        #expect(usage.admit(read) == nil)
        #expect(usage.admit(read) == nil)
        #expect(usage.admit(read) == .calls)
        // A cancellation passes although there is no room for other calls, and takes none of it.
        #expect(usage.admit(cancellation) == nil)
        #expect(usage.admit(cancellation) == .immediateCalls)
        #expect(usage.count == 3)
        usage.remove(read)
        #expect(usage.admit(cancellation) == .immediateCalls)
        #expect(usage.admit(read) == nil)
        usage.remove(cancellation)
        #expect(usage.admit(cancellation) == nil)
    }

    @Test func eachKindOfCallHasItsLimit() {
        var limits = CallLimits()
        (limits.imageJobs, limits.imports, limits.questions, limits.downloads) = (1, 1, 1, 1)
        let table = CallTable.shared
        let calls: [(call: any AnyCall, limit: CallUsage.Limit)] = [
            (table.image, .imageJobs), (table.importFiles, .imports),
            (table.requestAuthorization, .questions), (table.downloadResources, .downloads),
        ]
        var usage = CallUsage(limits)
        for (call, _) in calls { #expect(usage.admit(cost(call)) == nil) }
        for (call, limit) in calls { #expect(usage.admit(cost(call)) == limit) }
        #expect(usage.admit(cost(table.status)) == nil)
        for (call, _) in calls {
            usage.remove(cost(call))
            #expect(usage.admit(cost(call)) == nil)
        }
    }

    @Test func aLargeRequestIsAdmittedAlone() {
        var limits = CallLimits()
        limits.requestBytes = 10
        var usage = CallUsage(limits)
        let status = CallTable.shared.status
        #expect(usage.admit(cost(status, bytes: 11)) == nil)
        #expect(usage.admit(cost(status, bytes: 1)) == .requestBytes)
        usage.remove(cost(status, bytes: 11))
        #expect(usage.admit(cost(status, bytes: 4)) == nil)
        #expect(usage.admit(cost(status, bytes: 7)) == .requestBytes)
        #expect(usage.admit(cost(status, bytes: 6)) == nil)
    }
}
