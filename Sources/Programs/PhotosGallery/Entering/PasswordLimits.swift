/// How many wrong passwords each client sent within the last minute.
///
/// One client's wrong passwords are not counted for another, so that nobody locks out others.
struct PasswordLimits<Client: Hashable & Sendable>: Sendable {
    /// Wrong passwords that are answered in a minute; then none is tried any more.
    static var attemptsPerMinute: Int { 10 }
    /// Clients that are remembered; the one that was silent for longest is forgotten first.
    static var limit: Int { 4_096 }
    private static var window: Duration { .seconds(60) }

    private var attempts: [Client: [ContinuousClock.Instant]] = [:]

    /// Counts an attempt before it is tried, so that many at once do not slip through.
    ///
    /// - Returns: Whether it may be tried.
    mutating func begin(_ client: Client, at now: ContinuousClock.Instant) -> Bool {
        var own = recent(client, at: now)
        guard own.count < Self.attemptsPerMinute else { return false }
        if attempts[client] == nil, attempts.count >= Self.limit { makeRoom(at: now) }
        own.append(now)
        attempts[client] = own
        return true
    }

    /// Takes an attempt back that turned out to be right.
    mutating func succeed(_ client: Client) {
        _ = attempts[client]?.popLast()
        if attempts[client]?.isEmpty ?? false { attempts[client] = nil }
    }

    /// The attempts of a client within the last minute.
    func count(of client: Client, at now: ContinuousClock.Instant) -> Int {
        recent(client, at: now).count
    }

    /// The number of clients that are remembered.
    var clients: Int { attempts.count }

    private func recent(_ client: Client, at now: ContinuousClock.Instant)
        -> [ContinuousClock.Instant]
    {
        attempts[client, default: []].filter { now - $0 <= Self.window }
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        attempts = attempts.filter { entry in
            entry.value.last.map { now - $0 <= Self.window } ?? false
        }
        guard attempts.count >= Self.limit,
            let oldest = attempts.min(by: { ($0.value.last ?? now) < ($1.value.last ?? now) })
        else { return }
        attempts[oldest.key] = nil
    }
}
