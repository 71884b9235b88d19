/// Counts the wrong passwords that each client sent within the last minute.
///
/// Each client is limited separately, so that no client can lock out others.
struct PasswordLimits<Client: Hashable & Sendable>: Sendable {
    /// The maximum number of wrong attempts per minute; further attempts are refused without a
    /// check.
    static var attemptsPerMinute: Int { 10 }
    /// The maximum number of clients that are remembered.
    ///
    /// The client whose last attempt is the oldest is forgotten first.
    static var limit: Int { 4_096 }
    private static var window: Duration { .seconds(60) }

    private var attempts: [Client: [ContinuousClock.Instant]] = [:]

    /// Counts an attempt before its password is checked, so that concurrent attempts cannot exceed
    /// the limit.
    ///
    /// - Returns: `true` if the attempt may be checked.
    mutating func begin(_ client: Client, at now: ContinuousClock.Instant) -> Bool {
        var own = recent(client, at: now)
        guard own.count < Self.attemptsPerMinute else { return false }
        if attempts[client] == nil, attempts.count >= Self.limit { makeRoom(at: now) }
        own.append(now)
        attempts[client] = own
        return true
    }

    /// Removes a client's latest attempt from the count, because its password was correct.
    mutating func succeed(_ client: Client) {
        _ = attempts[client]?.popLast()
        if attempts[client]?.isEmpty ?? false { attempts[client] = nil }
    }

    /// Returns the number of a client's attempts within the last minute.
    func count(of client: Client, at now: ContinuousClock.Instant) -> Int {
        recent(client, at: now).count
    }

    /// The number of clients with recorded attempts.
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
