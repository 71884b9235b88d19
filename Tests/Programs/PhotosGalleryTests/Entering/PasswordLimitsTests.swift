import Testing

@testable import PhotosGallery

/// The limits of wrong passwords, with a separate clock.
@Suite(.timeLimit(.minutes(2))) struct PasswordLimitsTests {
    private let start = ContinuousClock.now

    @Test func nobodyLocksOutOthers() {
        var limits = PasswordLimits<String>()
        func begin(_ client: String, _ time: ContinuousClock.Instant) -> Bool {
            limits.begin(client, at: time)
        }
        for _ in 0..<PasswordLimits<String>.attemptsPerMinute {
            #expect(begin("a", start))
        }
        #expect(!begin("a", start))
        #expect(begin("b", start))
        #expect(limits.count(of: "a", at: start) == PasswordLimits<String>.attemptsPerMinute)
        // A rejected attempt is not counted, so that the minute ends.
        #expect(!begin("a", start + .seconds(60)))
        #expect(begin("a", start + .seconds(61)))
    }

    @Test func rightPasswordsAreNotCounted() {
        var limits = PasswordLimits<String>()
        func begin(_ client: String, _ time: ContinuousClock.Instant) -> Bool {
            limits.begin(client, at: time)
        }
        for _ in 0..<100 {
            #expect(begin("a", start))
            limits.succeed("a")
        }
        #expect(limits.count(of: "a", at: start) == 0)
        #expect(limits.clients == 0)
    }

    @Test func theTableIsBounded() {
        var limits = PasswordLimits<Int>()
        func begin(_ client: Int, _ time: ContinuousClock.Instant) -> Bool {
            limits.begin(client, at: time)
        }
        let most = PasswordLimits<Int>.limit
        for client in 0..<most + 100 {
            #expect(begin(client, start + .milliseconds(client)))
        }
        #expect(limits.clients == most)
        // The latest are retained.
        #expect(limits.count(of: most + 99, at: start) == 1)
        #expect(limits.count(of: 0, at: start) == 0)
        // Attempts that are older than a minute make room at once.
        _ = begin(-1, start + .seconds(600))
        #expect(limits.clients == 1)
    }

    @Test func attemptsAtOnceDoNotSlipThrough() async {
        let queue = PasswordQueue<String>(label: "test")
        typealias Answer = PasswordQueue<String>.Answer<Int>
        let answers = await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<40 { group.addTask { await queue.attempt("a") { nil } } }
            return await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        let refused = answers.count { if case .tooMany = $0 { true } else { false } }
        #expect(refused == 30)
        guard case .right(let value) = await queue.attempt("b", { 7 }) else {
            Issue.record("The right password of another client was refused.")
            return
        }
        #expect(value == 7)
    }
}
