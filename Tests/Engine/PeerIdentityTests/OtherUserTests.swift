import Foundation
import Glibc
import ProgramAccess
import TestSupport
import Testing

@testable import PeerIdentity

/// Programs of other users and services, which only an administrator's socket admits.
@Suite(.timeLimit(.minutes(2)), .enabled(if: geteuid() == 0, "needs root, to become another user"))
struct OtherUserTests {
    let world: PeerWorld

    init() throws { world = try PeerWorld() }

    private static let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    private func identity(_ identifier: PeerIdentifier) throws -> PeerIdentity {
        let peer = try world.connect(through: Self.nobody)
        return try #require(identifier.identify(peer.socket).identity)
    }

    @Test("A user's socket refuses other users")
    func ownSocket() throws {
        let identity = try identity(PeerIdentifier(audience: .ownUser))
        #expect(identity.kind == .unknown && identity.problem?.contains("65534") == true)
    }

    @Test("An administrator's socket knows other users by their number, and services by their unit")
    func administratorsSocket() throws {
        let groups: [(group: String?, kind: PeerIdentity.Kind, identifier: String)] = [
            (nil, .otherUser, "user:65534"),
            ("/user.slice/user-65534.slice/session-1.scope", .otherUser, "user:65534"),
            ("/system.slice/cups.service", .service, "service:cups.service"),
            ("/system.slice/web@1.service/worker", .service, "service:web@1.service"),
            ("/system.slice/system-web.slice/web@1.service", .service, "service:web@1.service"),
            // Groups that a unit makes below its own.
            ("/system.slice/web@1.service/cups.service", .service, "service:web@1.service"),
            (
                "/system.slice/web@1.service/a.slice/cups.service", .service,
                "service:web@1.service"
            ), ("/system.slice/box.scope/cups.service", .otherUser, "user:65534"),
            (
                "/user.slice/user-65534.slice/user@65534.service/app.slice/app-x.service",
                .otherUser, "user:65534"
            ), ("/system.slice.evil/cups.service", .otherUser, "user:65534"),
            ("/user.slice/system.slice/cups.service", .otherUser, "user:65534"),
        ]
        for (group, kind, expected) in groups {
            var sources = PeerIdentifier.Sources()
            sources.controlGroup = { _ in group }
            let identity = try identity(PeerIdentifier(audience: .everyUser, sources: sources))
            #expect(identity.kind == kind, "\(group ?? "none")")
            #expect(identity.program.identifier == expected, "\(group ?? "none")")
            #expect(identity.userID == 65534)
        }
    }
}
