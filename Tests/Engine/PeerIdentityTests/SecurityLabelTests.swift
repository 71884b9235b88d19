import ProgramAccess
import TestSupport
import Testing

@testable import PeerIdentity

/// Labels of security modules, of which this machine needs none.
@Suite(.timeLimit(.minutes(2))) struct SecurityLabelTests {
    @Test("Only labels that confine a process count")
    func labels() {
        let cases: [(String, SecurityLabel?)] = [
            ("unconfined", nil), ("unconfined\0", nil), ("", nil), ("\0", nil),
            ("snap.viewer.viewer (enforce)\0", .snap("viewer")),
            ("snap.viewer.viewer (complain)", nil),
            ("snap..viewer (enforce)", .profile("snap..viewer")),
            ("snap.viewer (enforce)", .profile("snap.viewer")),
            ("/usr/bin/viewer (enforce)", .profile("/usr/bin/viewer")),
            ("viewer (kill)", .profile("viewer")), ("viewer (unconfined)", nil),
            (" (enforce)", nil), ("(enforce)", nil),
            ("unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023\0", nil),
            ("system_u:system_r:httpd_t:s0\0", .profile("httpd_t")), ("a:b:", nil),
        ]
        for (text, label) in cases {
            #expect(SecurityLabel(text) == label, "\(text)")
        }
    }

    @Test("A labeled program is known by its profile, a snap by its name")
    func programs() throws {
        let world = try PeerWorld()
        let cases: [(String, PeerIdentity.Kind, String)] = [
            ("snap.viewer.viewer (enforce)", .sandboxed, "snap.viewer"),
            ("viewer (enforce)", .labeled, "profile:viewer"),
            ("unconfined", .host, PeerWorld.python),
        ]
        for (label, kind, identifier) in cases {
            var sources = PeerIdentifier.Sources()
            sources.label = { _ in label }
            let peer = try world.connect()
            let identity = PeerIdentifier(sources: sources).identify(peer.socket).identity
            #expect(identity?.kind == kind && identity?.program.identifier == identifier)
        }
    }
}
