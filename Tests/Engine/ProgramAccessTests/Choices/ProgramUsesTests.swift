import Foundation
import ProgramAccess
import TestSupport
import Testing

/// The day on which programs were last used, which wakes no process.
@Suite(.timeLimit(.minutes(2))) struct ProgramUsesTests {
    private let folder: TemporaryFolder
    private let store: AccessStore
    private static let day = 86_400.0

    init() throws {
        folder = try TemporaryFolder("photos-uses")
        store = AccessStore(folder: folder.file("access").path)
    }

    @Test func usesAreNotedOnceADay() throws {
        let uses = store.uses
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(uses.last(of: "/usr/bin/frames") == nil)
        uses.record("/usr/bin/frames", at: start)
        #expect(uses.last(of: "/usr/bin/frames") == start)
        uses.record("/usr/bin/frames", at: start + Self.day - 1)
        #expect(uses.last(of: "/usr/bin/frames") == start)
        uses.record("/usr/bin/frames", at: start + Self.day)
        #expect(uses.last(of: "/usr/bin/frames") == start + Self.day)
        // A clock that was set back is trusted.
        uses.record("/usr/bin/frames", at: start)
        #expect(uses.last(of: "/usr/bin/frames") == start)
        #expect(uses.last(of: "/usr/bin/frame") == nil)
    }

    @Test func aChangeOfEnforcementIsNotedAtOnce() throws {
        let uses = store.uses
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        uses.record("org.example.Viewer", at: start)
        #expect(!uses.wasEnforced(for: "org.example.Viewer"))
        uses.record("org.example.Viewer", at: start + 60, isEnforced: true)
        #expect(uses.wasEnforced(for: "org.example.Viewer"))
        #expect(uses.last(of: "org.example.Viewer") == start + 60)
        uses.record("org.example.Viewer", at: start + 120, isEnforced: true)
        #expect(uses.last(of: "org.example.Viewer") == start + 60)
        uses.record("org.example.Viewer", at: start + 180)
        #expect(!uses.wasEnforced(for: "org.example.Viewer"))
        #expect(!uses.wasEnforced(for: "org.example.Other"))
    }

    @Test func namesOfAnyKindHaveTheirOwn() throws {
        let long = "/" + String(repeating: "ä/", count: 900)
        let names = [
            "org.example.Frames", ".", "/a/b", "/a%2Fb", "%2Fa%2Fb", "..", "../choices.json",
            long + "a", long + "b", "x" + long + "a",
        ]
        for (number, name) in names.enumerated() {
            store.uses.record(name, at: Date(timeIntervalSince1970: 1_000_000 + Double(number)))
        }
        for (number, name) in names.enumerated() {
            #expect(
                store.uses.last(of: name)
                    == Date(timeIntervalSince1970: 1_000_000 + Double(number)),
                "\(name.prefix(40))"
            )
        }
        // Nothing was written outside of their folder, and watched files are unchanged.
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(there == ["access-uses"])
    }

    @Test func whatCannotBeWrittenIsNotNoted() throws {
        try folder.write(Data("a file".utf8), to: "access-uses")
        store.uses.record("org.example.Frames")
        #expect(store.uses.last(of: "org.example.Frames") == nil)
    }
}
