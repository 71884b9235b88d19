/// The access level that a program requests.
package enum AccessLevel: String, Codable, Hashable, Sendable, CaseIterable {
    /// Permission to add assets, without seeing any.
    case addOnly
    /// Permission to see and change assets.
    case readWrite
}

/// The status of a program at one access level.
package enum AccessStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// The user has not been asked yet.
    case notDetermined
    /// A policy denies access, and the user cannot override it.
    case restricted
    /// The user denied access.
    case denied
    /// The user granted access.
    case authorized
    /// The user granted access to selected assets.
    case limited
}
