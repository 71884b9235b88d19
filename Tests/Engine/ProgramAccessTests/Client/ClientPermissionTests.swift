import Foundation
import Glibc
import LibraryService
import PhotoModel
import ProgramAccess
import Synchronization
import TestSupport
import Testing

/// What programs learn of their permission, and how they ask for it.
@Suite(.timeLimit(.minutes(1))) struct ClientPermissionTests {
    private let folder: TemporaryFolder
    private let store: AccessStore
    private let program: ClientProgram

    init() throws {
        let fixture = try AccessFixture()
        (folder, store, program) = (fixture.folder, fixture.store, fixture.program)
    }

    private static let library = SelectableLibrary(
        uuid: "L",
        assets: ["3", "2", "1"].map {
            SelectableAsset(uuid: $0, name: "\($0).jpg", date: "2020-01-0\($0)", isSelected: false)
        }
    )

    private static func desk(_ person: FixedPerson?) -> QuestionDesk { QuestionDesk { person } }

    private func set(_ readWrite: AccessStatus, addOnly: AccessStatus = .notDetermined) throws {
        try store.change("org.example.A") { choice in
            choice.set(readWrite, for: .readWrite)
            choice.set(addOnly, for: .addOnly)
        }
    }

    // MARK: - Reports

    @Test(arguments: AccessStatus.allCases, [AccessStatus.notDetermined, .denied, .authorized])
    func theStatusOfEachLevelIsReported(_ status: AccessStatus, _ addOnly: AccessStatus) throws {
        try set(status, addOnly: addOnly)
        let reading = program.permission(at: .readWrite)
        let adding = program.permission(at: .addOnly)
        let sees = status == .authorized || status == .limited
        #expect(reading.status == status)
        // Whoever sees photos may also add some.
        #expect(adding.status == (sees ? .authorized : addOnly))
        #expect((reading.refusal == nil) == sees)
        #expect((adding.refusal == nil) == (adding.status == .authorized))
        // Hidden photos take a permission of their own.
        #expect((reading.hiddenRefusal != nil) == sees)
        #expect(adding.hiddenRefusal == nil)
        if !sees, addOnly == .authorized {
            #expect(reading.refusal?.message.contains("may add to the photo library") == true)
        } else if !sees {
            let code: LibraryError.Code = status == .restricted ? .accessRestricted : .accessDenied
            #expect(reading.refusal?.code == code)
        }
        try store.change("org.example.A") { $0.includesHidden = true }
        #expect(program.permission(at: .readWrite).hiddenRefusal == nil)
    }

    @Test func refusalsSayWhatToDo() {
        #expect(
            program.refusal(of: .notDetermined).recovery == "Run photos access grant org.example.A."
        )
        #expect(program.refusal(of: .denied).reason == "The user denied permission.")
        let restricted = program.refusal(of: .restricted)
        #expect(restricted.reason?.contains(store.restrictionsFile) == true)
        #expect(restricted.recovery?.contains("administrator") == true)
        #expect(program.refusal(of: .limited).recovery?.contains("whole library") == true)
        #expect(program.refusalOfNaming.code == .accessDenied)
        // A program with permission is refused only by mistake.
        #expect(program.refusal(of: .authorized).code == .internalError)
        let other = ClientProgram(program.identity, store: store, override: .addOnly)
        for refusal in [other.refusalOfReading, other.refusalOfHidden, other.refusal(of: .denied)] {
            #expect(refusal.reason?.contains("PHOTOS_ACCESS=add-only") == true)
            #expect(refusal.recovery?.contains("PHOTOS_ACCESS=authorized") == true)
        }
    }

    @Test func theProgramOfThisProcessIsItsExecutable() throws {
        let link = "/proc/self/exe"
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: link)
        let folder = (path as NSString).deletingLastPathComponent
        #expect(!FileManager.default.fileExists(atPath: folder + "/Info.plist"))
        #expect(ProgramIdentity.current.identifier == path)
        #expect(ProgramIdentity.current.name == (path as NSString).lastPathComponent)
        #expect(ClientProgram.current.identity == .current)
    }

    // MARK: - Changes

    @Test func everyChangeIsANewGeneration() throws {
        let first = program.generation
        #expect(program.generation == first)
        try set(.denied)
        let second = program.generation
        #expect(second > first && program.generation == second)
        // Those of other programs count, too.
        try store.change("org.example.B") { $0.set(.denied, for: .readWrite) }
        #expect(program.generation > second)
        try folder.write(Data("*\n".utf8), to: "restricted")
        #expect(program.generation > second + 1)
    }

    /// The environment of a process does not change, and neither does its access.
    @Test func choicesDoNotConcernAnOverriddenProgram() throws {
        let other = ClientProgram(program.identity, store: store, override: .authorized)
        let grants = other.grants(for: "L")
        #expect(grants()?.access == .unhidden)
        try set(.denied)
        #expect(grants() == nil)
        try set(.limited)
        try other.select(["1"], in: "L")
        #expect(try program.choice().selections == [:])
        try program.select(["1"], in: "L")
        try other.deselect(["1"], in: "L")
        #expect(try program.choice().selections == ["L": ["1"]])
    }

    @Test(arguments: AccessStatus.allCases) func usesWithPermissionAreRecorded(
        _ status: AccessStatus
    )
        throws
    {
        try set(status)
        program.recordUse()
        let isPermitted = status == .authorized || status == .limited
        #expect((store.uses.last(of: "org.example.A") != nil) == isPermitted)
        ClientProgram(ProgramIdentity(identifier: "B"), store: store, override: .authorized)
            .recordUse()
        #expect(store.uses.last(of: "B") == nil)
    }

    @Test func anAddingProgramUsesItsPermission() throws {
        try set(.denied, addOnly: .authorized)
        program.recordUse()
        #expect(store.uses.last(of: "org.example.A") != nil)
    }

    // MARK: - Asking

    private func authorize(_ level: AccessLevel?, _ person: FixedPerson?) throws
        -> AuthorizationReply
    {
        try program.authorize(AuthorizationRequest(level: level), at: Self.desk(person)) {
            Self.library
        }
    }

    @Test func aQuestionIsAskedOnce() throws {
        #expect(try authorize(.readWrite, FixedPerson(says: .everything)).status == .authorized)
        #expect(try authorize(.readWrite, FixedPerson(says: .nothing)).status == .authorized)
        #expect(try authorize(nil, FixedPerson(says: .nothing)).status == .authorized)
        #expect(program.permission(at: .readWrite).status == .authorized)
    }

    /// A choice at any level answers the question of the first use.
    @Test func theFirstUseAsksOnlyWithoutAnyChoice() throws {
        try set(.notDetermined, addOnly: .denied)
        #expect(try authorize(nil, FixedPerson(says: .everything)).status == .notDetermined)
        #expect(try authorize(.readWrite, FixedPerson(says: .everything)).status == .authorized)
    }

    @Test func theFirstUseAsksForWhatAProgramGivesAReasonFor() throws {
        let identity = ProgramIdentity(identifier: "org.example.S", addUsage: "Keeps your scans.")
        let scanner = ClientProgram(identity, store: store)
        let desk = Self.desk(FixedPerson(says: .everything))
        let reply = try scanner.authorize(AuthorizationRequest(level: nil), at: desk) { nil }
        #expect(reply.status == .authorized)
        #expect(try scanner.choice().addOnly == .authorized)
        #expect(try scanner.choice().readWrite == .notDetermined)
    }

    @Test func choicesThatCannotBeReadAreNotAskedFor() throws {
        try folder.write(Data("damaged".utf8), to: "access/choices.json")
        let reply = try authorize(.readWrite, FixedPerson(says: .everything))
        #expect(reply.status == .denied)
        #expect(reply.remark?.contains("cannot be read") == true)
        #expect(program.permission(at: .readWrite).status == .notDetermined)
    }

    /// A user who answers only once the question is withdrawn.
    private struct LatePerson: PersonAsker {
        func answer(to question: PermissionQuestion) -> PermissionAnswer? {
            let isWithdrawn = DispatchSemaphore(value: 0)
            CallContext.current?.cancellation?.withHandler(
                { isWithdrawn.signal() },
                while: { isWithdrawn.wait() }
            )
            return .everything
        }

        func selection(for question: SelectionQuestion) -> Set<String>? { nil }
    }

    @Test func aCanceledQuestionChangesNothing() throws {
        let cancellation = CallCancellation()
        cancellation.cancel()
        let context = CallContext(cancellation: cancellation)
        let error = #expect(throws: LibraryError.self) {
            try context.perform {
                try program.authorize(
                    AuthorizationRequest(level: .readWrite),
                    at: QuestionDesk { LatePerson() },
                    library: { Self.library }
                )
            }
        }
        #expect(error?.code == .cancelled)
        let reply = context.perform {
            program.request(
                .readWrite,
                asker: FixedPerson(says: .everything),
                library: { Self.library }
            )
        }
        #expect(reply.status == .denied)
        #expect(program.status(for: .readWrite) == .notDetermined)
    }

    /// The access is limited at once; photos can be selected later.
    @Test func aSelectionWithoutALibraryIsEmpty() throws {
        let person = FixedPerson(says: .selection, picks: ["1"])
        let none = program.request(.readWrite, asker: person, library: { nil })
        #expect(none.status == .limited && none.remark == nil)
        #expect(try program.choice().selections == [:])
        try set(.notDetermined)
        let failure = LibraryError(.libraryMissing, "There is no library.")
        let failed = program.request(.readWrite, asker: person) { () throws(LibraryError) in
            throw failure
        }
        #expect(failed.status == .limited && failed.remark == failure.description)
        #expect(try program.choice().selections == [:])
    }

    /// Questions of all programs wait for one another; a choice that is made meanwhile is enough.
    @Test func aChoiceMadeMeanwhileIsTaken() throws {
        try store.prepareFolder()
        let lock = open(store.folder + "/asking", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let status = Mutex<AccessStatus?>(nil)
        let thread = Parallel.Work<AuthorizationReply, Never> { [program] in
            program.request(.readWrite, asker: FixedPerson(says: .everything), library: { nil })
        }
        try set(.denied)
        flock(lock, LOCK_UN)
        close(lock)
        let reply = thread.wait()
        status.withLock { $0 = reply.status }
        #expect(status.withLock(\.self) == .denied)
    }

    /// A question that waits for another program's dialog ends when it is withdrawn.
    @Test func aWithdrawnQuestionWaitsForNoOther() throws {
        try store.prepareFolder()
        let lock = open(store.folder + "/asking", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        let cancellation = CallCancellation()
        let ended = DispatchSemaphore(value: 0)
        let thread = Parallel.Work<AuthorizationReply, Never> { [program] in
            defer { ended.signal() }
            return CallContext(cancellation: cancellation).perform {
                program.request(.readWrite, asker: FixedPerson(says: .everything), library: { nil })
            }
        }
        #expect(ended.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
        cancellation.cancel()
        #expect(ended.wait(timeout: .now() + .seconds(20)) == .success)
        flock(lock, LOCK_UN)
        #expect(thread.wait().status == .denied)
        #expect(program.status(for: .readWrite) == .notDetermined)
    }

    // MARK: - Selections

    private func select(_ person: FixedPerson?) throws -> [String] {
        try program.select(at: Self.desk(person), library: "L") { Self.library }
    }

    @Test func addedPhotosAreReportedInTheirOrder() throws {
        #expect(try select(FixedPerson(picks: ["1"])) == [], "its access is not limited")
        try set(.limited)
        #expect(try select(FixedPerson(picks: ["1", "3"])) == ["3", "1"])
        #expect(try select(FixedPerson(picks: ["2", "3"])) == ["2"])
        #expect(try program.choice().selections == ["L": ["2", "3"]])
        #expect(try select(FixedPerson(picks: nil)) == [])
        #expect(try program.choice().selections == ["L": ["2", "3"]])
    }

    @Test func nobodyCanSelectWithoutBeingAsked() throws {
        try set(.limited)
        let error = #expect(throws: LibraryError.self) { try select(nil) }
        #expect(error?.code == .accessDenied)
        #expect(error?.recovery?.contains("photos access limit org.example.A") == true)
        let failure = LibraryError(.libraryMissing, "There is no library.")
        let other = #expect(throws: LibraryError.self) {
            try program.select(at: Self.desk(FixedPerson(picks: [])), library: "L") {
                () throws(LibraryError) in throw failure
            }
        }
        #expect(other == failure)
    }

    /// A permission that was withdrawn during the question stays withdrawn.
    @Test func aSelectionDoesNotBringBackAPermission() throws {
        try set(.limited)
        struct Withdrawing: PersonAsker {
            let store: AccessStore
            func answer(to question: PermissionQuestion) -> PermissionAnswer? { nil }
            func selection(for question: SelectionQuestion) -> Set<String>? {
                try? store.change("org.example.A") { $0.set(.denied, for: .readWrite) }
                return ["1"]
            }
        }
        let store = store
        _ = try program.changeSelection(in: Self.library, asker: Withdrawing(store: store))
        #expect(try program.choice() == AccessChoice(readWrite: .denied))
    }
}
