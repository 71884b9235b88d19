internal import CLinuxShim
internal import Glibc
internal import ProgramAccess

/// Identifies the program at the other end of a socket.
///
/// The peer's files in `/proc` are read while a descriptor of the process is held, and count only
/// if the process is alive afterward; a reused process number is therefore never taken for the
/// program. Design: `PeerIdentity.Kind` says what each result promises.
package struct PeerIdentifier: Sendable {
    /// The programs that may connect.
    package enum Audience: Sendable {
        /// Only programs of this user, as on the user's own socket.
        case ownUser
        /// Programs of every user that the socket's mode permits, as on an administrator's socket.
        case everyUser
    }

    /// The system interfaces from which a peer's identity is read.
    ///
    /// Tests replace the sources that their machine lacks.
    package struct Sources: Sendable {
        /// Indicates whether the kernel is asked which process connected (SO_PEERPIDFD).
        package var usesPeerDescriptors = true
        /// Returns the security label of a socket's peer, if a security module provides one.
        package var label: @Sendable (_ socket: Int32) -> String? = { PeerIdentifier.label(of: $0) }
        /// Returns the control group of a process.
        package var controlGroup: @Sendable (_ process: Int32) -> String? = {
            ProcessFolder(processID: $0).controlGroup
        }

        package init() {}
    }

    /// The state of an identification.
    package enum Result: Sendable {
        /// The identification is complete: the peer's identity and, if it is known, the process to
        /// watch.
        case identified(PeerIdentity, PeerProcess?)
        /// The peer has to answer a challenge, since the kernel cannot confirm that the reported
        /// process is the one that connected.
        case asks(PeerChallenge)
    }

    private let audience: Audience
    private let sources: Sources

    package init(audience: Audience = .ownUser, sources: Sources = Sources()) {
        self.audience = audience
        self.sources = sources
    }

    /// Begins to identify the peer of a connected socket.
    ///
    /// May wait for the file system that the peer's executable is on, so each connection needs its
    /// own thread. Costs some 15 system calls.
    package func identify(_ socket: Int32) -> Result {
        var processID: pid_t = 0
        var userID: uid_t = 0
        guard cphotos_peer_credentials(socket, &processID, &userID) == 0 else {
            return .identified(.unknown("The socket has no peer."), nil)
        }
        let gone = PeerIdentity.unknown(
            "The process that connected has ended, or is in a namespace that is not visible here.",
            userID: userID,
            processID: processID
        )
        guard processID > 0 else { return .identified(gone, nil) }
        if sources.usesPeerDescriptors {
            let descriptor = cphotos_peer_process(socket)
            if descriptor >= 0 {
                guard let process = PeerProcess(descriptor: descriptor) else {
                    return .identified(gone, nil)
                }
                return .identified(self.identity(of: process, userID, socket), process)
            }
            guard errno == ENOPROTOOPT else { return .identified(gone, nil) }
        }
        guard let process = PeerProcess(processID: processID) else {
            return .identified(gone, nil)
        }
        return .asks(PeerChallenge(process: process, userID: userID))
    }

    /// Completes the identification after the peer answered a challenge, or failed to answer it.
    ///
    /// - Parameters:
    ///   - socket: The connection.
    ///   - challenge: The challenge that was sent.
    ///   - isAnswered: The result of `PeerChallenge.isAnswered(by:from:)`.
    /// - Returns: The identity, and the process to watch unless it is unknown.
    package func identify(
        _ socket: Int32,
        after challenge: PeerChallenge,
        isAnswered: Bool
    ) -> (PeerIdentity, PeerProcess?) {
        guard isAnswered else {
            let problem = "Another process than the one that connected answered."
            return (
                .unknown(
                    problem,
                    userID: challenge.userID,
                    processID: challenge.process.processID
                ), nil
            )
        }
        let process = challenge.process
        return (identity(of: process, challenge.userID, socket), process)
    }

    // MARK: - Facts

    private func identity(
        of process: PeerProcess,
        _ userID: UInt32,
        _ socket: Int32
    ) -> PeerIdentity {
        var identity = facts(of: process, userID, socket)
        identity.userID = userID
        identity.processID = process.processID
        guard !process.hasEnded else {
            return .unknown(
                "The process ended while it was identified.",
                userID: userID,
                processID: process.processID
            )
        }
        return identity
    }

    private func facts(
        of process: PeerProcess,
        _ userID: UInt32,
        _ socket: Int32
    ) -> PeerIdentity {
        let folder = ProcessFolder(processID: process.processID)
        if userID != geteuid() { return otherUser(userID, process) }
        if let label = sources.label(socket).flatMap(SecurityLabel.init) {
            return self.labeled(label)
        }
        switch folder.rootFile(".flatpak-info", limit: 64 * 1024) {
        case .text(let text):
            guard let flatpak = FlatpakInformation(text) else {
                return .unknown("Its sandbox names no application.")
            }
            return PeerIdentity(
                kind: .sandboxed,
                program: ProgramIdentity(identifier: flatpak.application),
                userID: userID,
                processID: process.processID,
                folders: flatpak.folders
            )
        case .unusable: return .unknown("The root folder of its process cannot be read.")
        case .absent: break
        }
        guard let root = folder.rootNumber, root == ProcessFolder.ownRootNumber else {
            return .unknown("It runs in a container, or with another root folder.")
        }
        return host(folder)
    }

    private func labeled(_ label: SecurityLabel) -> PeerIdentity {
        switch label {
        case .snap(let name):
            identity(.sandboxed, ProgramIdentity(identifier: "snap.\(name)", name: name))
        case .profile(let profile):
            identity(.labeled, ProgramIdentity(identifier: "profile:\(profile)", name: profile))
        }
    }

    private func otherUser(_ userID: UInt32, _ process: PeerProcess) -> PeerIdentity {
        guard case .everyUser = audience else {
            return .unknown("It belongs to another user (\(userID)).")
        }
        if let unit = sources.controlGroup(process.processID).flatMap(Self.systemUnit) {
            return identity(.service, ProgramIdentity(identifier: "service:\(unit)", name: unit))
        }
        return identity(
            .otherUser,
            ProgramIdentity(identifier: "user:\(userID)", name: "User \(userID)")
        )
    }

    private func host(_ folder: ProcessFolder) -> PeerIdentity {
        guard let executable = folder.executable else {
            return .unknown("Its executable cannot be read.")
        }
        if let problem = ExecutablePlace(executable).problem { return .unknown(problem) }
        return identity(
            .host,
            ProgramIdentity(executable: executable, flatpakInformation: nil)
        )
    }

    private func identity(_ kind: PeerIdentity.Kind, _ program: ProgramIdentity) -> PeerIdentity {
        PeerIdentity(kind: kind, program: program, userID: .max, processID: 0)
    }

    /// Returns the unit of the system service that a control group belongs to, such as
    /// `cups.service`; nil if it belongs to none.
    ///
    /// Only slices contain the groups of units. What is below a unit's group can be named by the
    /// unit itself, if its group is delegated to it.
    private static func systemUnit(_ group: String) -> String? {
        let parts = group.split(separator: "/")
        guard parts.first == "system.slice",
            let unit = parts.first(where: { !$0.hasSuffix(".slice") }), unit.hasSuffix(".service")
        else { return nil }
        return String(unit)
    }

    private static func label(of socket: Int32) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = cphotos_peer_label(socket, &bytes, bytes.count)
        guard count > 0, count <= bytes.count else { return nil }
        return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
