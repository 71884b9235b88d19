/// What a program asks for.
package enum AccessLevel: String, Hashable, Sendable, CaseIterable {
    /// Making assets, seeing nothing.
    case addOnly
    /// Seeing and changing.
    case readWrite
}

/// What was chosen for a program at one level.
package enum AccessStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// Nobody has been asked yet.
    case notDetermined
    /// A policy forbids it, which the person at the computer cannot lift.
    case restricted
    /// The person said no.
    case denied
    /// The person said yes.
    case authorized
    /// The person chose which assets it may see.
    case limited
}
