package import LibraryService

/// The access that a user granted to one program.
package struct AccessChoice: Codable, Hashable, Sendable {
    /// The program's display name; nil when unknown.
    package var name: String?
    package var readWrite: AccessStatus
    package var addOnly: AccessStatus
    /// The UUIDs of the assets that a program with limited access may see, by the UUID of their
    /// library.
    package var selections: [String: Set<String>]
    /// Indicates whether the program may also see hidden assets.
    package var includesHidden: Bool

    /// Creates a choice; by default, no access has been determined.
    package init(
        name: String? = nil,
        readWrite: AccessStatus = .notDetermined,
        addOnly: AccessStatus = .notDetermined,
        selections: [String: Set<String>] = [:],
        includesHidden: Bool = false
    ) {
        self.name = name
        self.readWrite = readWrite
        self.addOnly = addOnly
        self.selections = selections
        self.includesHidden = includesHidden
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        readWrite =
            try values.decodeIfPresent(AccessStatus.self, forKey: .readWrite)
            ?? .notDetermined
        addOnly =
            try values.decodeIfPresent(AccessStatus.self, forKey: .addOnly)
            ?? .notDetermined
        selections =
            try values.decodeIfPresent([String: Set<String>].self, forKey: .selections)
            ?? [:]
        includesHidden = try values.decodeIfPresent(Bool.self, forKey: .includesHidden) ?? false
    }

    /// Returns the status for an access level.
    ///
    /// Access to read and write includes permission to add.
    package func status(for level: AccessLevel) -> AccessStatus {
        switch level {
        case .readWrite: readWrite
        case .addOnly: readWrite == .authorized || readWrite == .limited ? .authorized : addOnly
        }
    }

    /// Sets the status for an access level, and removes selections and permissions that no longer
    /// apply.
    package mutating func set(_ status: AccessStatus, for level: AccessLevel) {
        switch level {
        case .readWrite:
            readWrite = status
            if status != .limited { selections = [:] }
            if status != .limited, status != .authorized { includesHidden = false }
        case .addOnly: addOnly = status
        }
    }
}
