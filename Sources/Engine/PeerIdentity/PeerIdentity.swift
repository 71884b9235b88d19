package import ProgramAccess

/// The program at the other end of a connection, and how far the kernel vouches for it.
package struct PeerIdentity: Hashable, Sendable {
    /// The ways in which a program is identified.
    ///
    /// Each promises something else.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// A program in a sandbox with an application id: Flatpak or snap. A boundary.
        case sandboxed
        /// A program with a profile of AppArmor or SELinux. A boundary.
        case labeled
        /// A program of another user. A boundary, since that user cannot read the library.
        case otherUser
        /// A system service of another user. A boundary.
        case service
        /// A program of this user, known by the path of its executable. A name only: programs of
        /// one user can pose as one another.
        case host
        /// A program of which nothing is certain. Denied.
        case unknown

        /// Indicates whether a permission of the program is a boundary, as far as the kernel keeps
        /// the program from the files of the library.
        package var isBoundary: Bool {
            switch self {
            case .sandboxed, .labeled, .otherUser, .service: true
            case .host, .unknown: false
            }
        }
    }

    package var kind: Kind
    /// The program whose choice counts.
    ///
    /// Of an unknown program, only the name is meaningful.
    package var program: ProgramIdentity
    /// The user of the process.
    package var userID: UInt32
    /// The process, in this process's namespace; 0 if it is not visible.
    package var processID: Int32
    /// The reason why the program is unknown, as a sentence; nil for the other kinds.
    package var problem: String?
    /// The folders of the host that a Flatpak may read, as its permissions name them.
    package var folders: [String] = []
    /// The broker that speaks for the program, if one does.
    ///
    /// It never adds rights.
    package var mediator: String?

    /// Returns whether the program's sandbox lets it read a library past the daemon.
    ///
    /// - Parameters:
    ///   - library: The real path of the library.
    ///   - home: The user's home folder.
    ///   - pictures: The user's folder for pictures.
    /// - Returns: Whether a permission of the sandbox covers the library's folder. What a security
    ///   profile permits is not known here.
    package func canRead(_ library: String, home: String, pictures: String) -> Bool {
        FlatpakInformation.canRead(library, by: folders, home: home, pictures: pictures)
    }

    /// Creates the identity of a program of which nothing is certain.
    static func unknown(_ problem: String, userID: UInt32 = .max, processID: Int32 = 0) -> Self {
        PeerIdentity(
            kind: .unknown,
            program: ProgramIdentity(identifier: "unknown", name: "Unknown program"),
            userID: userID,
            processID: processID,
            problem: problem
        )
    }
}
