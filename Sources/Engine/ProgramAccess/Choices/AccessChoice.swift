/// What a person chose for one program.
package struct AccessChoice: Codable, Hashable, Sendable {
    /// What people call the program; nil where that is not known.
    package var name: String?
    package var readWrite: AccessStatus
    package var addOnly: AccessStatus
    /// The UUIDs of the assets that it may see while it is limited, by the UUID of their library.
    package var selections: [String: Set<String>]
    /// Whether hidden assets are among what it may see.
    package var includesHidden: Bool

    /// Nothing chosen yet.
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

    /// What holds at a level: who may see photos may add some.
    package func status(for level: AccessLevel) -> AccessStatus {
        switch level {
        case .readWrite: readWrite
        case .addOnly: readWrite == .authorized || readWrite == .limited ? .authorized : addOnly
        }
    }

    /// Notes an answer at a level; a selection belongs to `limited` alone.
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
