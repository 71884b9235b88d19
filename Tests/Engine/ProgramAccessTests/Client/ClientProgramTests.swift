import Foundation
import LibraryService
import PhotoModel
import ProgramAccess
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ClientProgramTests {
    private let folder: TemporaryFolder
    private let store: AccessStore
    private let program: ClientProgram

    init() throws {
        let fixture = try AccessFixture()
        (folder, store, program) = (fixture.folder, fixture.store, fixture.program)
    }

    private struct Row: Sendable {
        var readWrite: AccessStatus
        var addOnly: AccessStatus
        var access: LibraryAccess
        var mayCreate: Bool
        var refusal: LibraryError.Code?
    }

    /// Returns access to some assets, without hidden ones.
    private static func selection(_ uuids: Set<String>) -> LibraryAccess {
        LibraryAccess(.some(uuids), includesHidden: false)
    }

    private static let rows = [
        Row(
            readWrite: .notDetermined,
            addOnly: .notDetermined,
            access: .none,
            mayCreate: false,
            refusal: .accessDenied
        ),
        Row(
            readWrite: .denied,
            addOnly: .denied,
            access: .none,
            mayCreate: false,
            refusal: .accessDenied
        ),
        Row(
            readWrite: .restricted,
            addOnly: .restricted,
            access: .none,
            mayCreate: false,
            refusal: .accessRestricted
        ),
        Row(
            readWrite: .denied,
            addOnly: .authorized,
            access: .none,
            mayCreate: true,
            refusal: .accessDenied
        ),
        Row(
            readWrite: .limited,
            addOnly: .denied,
            access: selection(["1"]),
            mayCreate: true,
            refusal: .accessDenied
        ),
        Row(
            readWrite: .authorized,
            addOnly: .denied,
            access: .unhidden,
            mayCreate: true,
            refusal: .accessDenied
        ),
    ]

    @Test func everyStatusHasItsGrant() throws {
        for row in Self.rows {
            try store.change(program.identity.identifier) { choice in
                choice = AccessChoice(
                    readWrite: row.readWrite,
                    addOnly: row.addOnly,
                    selections: ["L": ["1"], "M": ["2"]]
                )
            }
            let grant = program.grant(for: "L")
            #expect(grant.access == row.access, "\(row)")
            #expect(grant.mayCreate == row.mayCreate, "\(row)")
            #expect(grant.refusal?.code == row.refusal, "\(row)")
            guard let refusal = grant.refusal else { continue }
            #expect(refusal.message.contains("“org.example.A”"), "\(row)")
            #expect(refusal.reason != nil && refusal.recovery != nil, "\(row)")
        }
    }

    /// Hidden assets have a separate permission, which is lost with the others.
    @Test func hiddenAssetsHaveTheirOwnGrant() throws {
        let name = program.identity.identifier
        try store.change(name) { $0.set(.authorized, for: .readWrite) }
        let refusal = try #require(program.grant(for: "L").hiddenRefusal)
        #expect(refusal.code == .accessDenied)
        #expect(refusal.recovery?.contains("photos access grant org.example.A --hidden") == true)
        try store.change(name) { $0.includesHidden = true }
        #expect(program.grant(for: "L") == .everything)
        try store.change(name) { choice in
            choice.set(.limited, for: .readWrite)
            choice.selections["L"] = ["1"]
        }
        #expect(program.grant(for: "L").access == .limited(["1"]))
        #expect(program.grant(for: "L").hiddenRefusal == nil)
        try store.change(name) { $0.set(.denied, for: .readWrite) }
        try store.change(name) { $0.set(.authorized, for: .readWrite) }
        #expect(program.grant(for: "L").access == .unhidden)
    }

    @Test func grantsAreNewsOnce() throws {
        let grants = program.grants(for: "L")
        #expect(grants()?.access == LibraryAccess.none)
        #expect(grants() == nil)
        try store.change(program.identity.identifier) { $0.set(.authorized, for: .readWrite) }
        #expect(grants()?.access == .unhidden)
        #expect(grants() == nil)
    }

    @Test func whatALimitedProgramMakesJoinsItsSelection() throws {
        #expect(try program.select(["1"], in: "L").isEmpty)
        #expect(try program.choice().selections.isEmpty)
        try store.change(program.identity.identifier) { $0.set(.limited, for: .readWrite) }
        #expect(try program.select(["1"], in: "L") == ["1"])
        // Only what is added is to be removed again.
        #expect(try program.select(["1", "2"], in: "L") == ["2"])
        try program.deselect(["2"], in: "L")
        #expect(program.grant(for: "L").access == Self.selection(["1"]))
        #expect(program.grant(for: "M").access == Self.selection([]))
    }

    @Test func theEnvironmentIsStronger() throws {
        try store.change("org.example.A") { $0.set(.denied, for: .readWrite) }
        for value in AccessOverride.allCases {
            let override = try #require(
                AccessOverride(environment: [AccessOverride.variable: value.rawValue])
            )
            let program = ClientProgram(self.program.identity, store: store, override: override)
            let expected: (LibraryAccess, Bool) =
                switch value {
                case .authorized: (.unhidden, true)
                case .authorizedWithHidden: (.full, true)
                case .addOnly: (.none, true)
                case .denied, .restricted: (.none, false)
                }
            let grant = program.grant(for: "L")
            #expect((grant.access, grant.mayCreate) == expected)
            // A selection would not help, since it is not read.
            for status in [AccessStatus.denied, .restricted] {
                let recovery = try #require(program.refusal(of: status).recovery)
                #expect(recovery.contains("PHOTOS_ACCESS=authorized"))
                #expect(!recovery.contains("photos access grant"))
            }
        }
        #expect(AccessOverride(environment: [AccessOverride.variable: "yes"]) == nil)
        #expect(AccessOverride(environment: [:]) == nil)
    }

    // MARK: - Asking

    private static let library = SelectableLibrary(
        uuid: "L",
        assets: ["1", "2", "3"].map {
            SelectableAsset(uuid: $0, name: "\($0).jpg", date: "2020-01-0\($0)", isSelected: false)
        }
    )

    private func ask(_ person: FixedPerson?, _ level: AccessLevel = .readWrite)
        -> AuthorizationReply
    {
        program.request(level, asker: person, library: { Self.library })
    }

    @Test func answersAreKeptAndNotAskedForAgain() throws {
        let outcome = ask(FixedPerson(says: .everything))
        #expect(outcome.status == .authorized)
        #expect(outcome.remark == nil)
        // Behavior 3.
        #expect(ask(FixedPerson(says: .nothing)).status == .authorized)
        #expect(try store.choice(of: "org.example.A").name == "org.example.A")
    }

    @Test func nobodyToAskIsNoAnswer() throws {
        for person in [nil, FixedPerson(says: nil), FixedPerson(says: .selection, picks: nil)] {
            let outcome = ask(person)
            #expect(outcome.status == .denied)
            #expect(outcome.remark?.contains("photos access grant org.example.A") == true)
            #expect(program.status(for: .readWrite) == .notDetermined)
        }
        #expect(ask(nil, .addOnly).remark?.hasSuffix("--add-only") == true)
    }

    @Test func levelsAreAskedForApart() {
        #expect(ask(FixedPerson(says: .nothing), .addOnly).status == .denied)
        #expect(program.status(for: .readWrite) == .notDetermined)
        #expect(ask(FixedPerson(says: .everything)).status == .authorized)
        #expect(program.status(for: .addOnly) == .authorized)
    }

    @Test func selectionsAreKeptAndChanged() throws {
        #expect(ask(FixedPerson(says: .selection, picks: ["1"])).status == .limited)
        #expect(program.grant(for: "L").access == Self.selection(["1"]))
        // Assets that are not offered, such as a selected hidden one, remain selected.
        try program.select(["9"], in: "L")
        let added = try program.changeSelection(
            in: Self.library,
            asker: FixedPerson(says: nil, picks: ["2", "3"])
        )
        #expect(added == ["2", "3"])
        #expect(program.grant(for: "L").access == Self.selection(["2", "3", "9"]))
        let none = try program.changeSelection(in: Self.library, asker: FixedPerson())
        #expect(none.isEmpty)
        #expect(program.grant(for: "L").access == Self.selection(["2", "3", "9"]))
    }
}
