package import ProgramAccess

/// The program at the other end of a connection, and how reliably it is identified.
package struct PeerIdentity: Hashable, Sendable {
    /// The ways in which a program is identified.
    ///
    /// Each way gives a different guarantee. A permission is a security boundary where the kernel
    /// keeps the program from the files of the library; otherwise the program could bypass the
    /// daemon.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// A program in a Flatpak or snap sandbox with an application id; the permission that the
        /// user gives it is a security boundary.
        case sandboxed
        /// A program with an AppArmor or SELinux profile; its permission is a security boundary.
        case labeled
        /// A program of another user; its permission is a security boundary, since that user cannot
        /// read the library.
        case otherUser
        /// A system service of another user; its permission is a security boundary.
        case service
        /// A program of this user, identified by its executable's path; its permission is no
        /// security boundary, since programs of one user can impersonate one another.
        case host
        /// A program that could not be identified. Its access is denied.
        case unknown

        /// Indicates whether the permission is a security boundary, on the assumption that the
        /// kernel denies the program access to the library's files.
        package var isBoundary: Bool {
            switch self {
            case .sandboxed, .labeled, .otherUser, .service: true
            case .host, .unknown: false
            }
        }
    }

    package var kind: Kind
    /// The program to which the user's choices apply.
    ///
    /// Of an unknown program, only the name is meaningful.
    package var program: ProgramIdentity
    /// The user of the process.
    package var userID: UInt32
    /// The process number in this program's PID namespace; 0 if the process is not visible in it.
    package var processID: Int32
    /// The reason, as a sentence, why the program could not be identified; nil for identified
    /// programs.
    package var problem: String?
    /// The host folders that a Flatpak may read, in the notation of Flatpak permissions.
    package var folders: [String] = []

    /// Returns whether the program's sandbox permits it to read a library directly, without the
    /// daemon.
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

    /// Creates the identity of a program that could not be identified.
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
