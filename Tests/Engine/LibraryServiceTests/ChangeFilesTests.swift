import FoundationEssentials
import LibraryService
import PhotoModel
import Synchronization
import Testing

/// The files of a change set on their way into a session.
@Suite(.timeLimit(.minutes(1))) struct ChangeFilesTests {
    /// A session that numbers its files from 100 on, and fails at some.
    private final class Session: ChangeService {
        struct State {
            var staged: [Int64: StageRequest] = [:]
            var released: [Int64] = []
            var commits: [ChangeSet] = []
        }

        let state = Mutex(State())
        private let failure: LibraryError?
        private let failingName: String?

        init(failingAt name: String? = nil, with failure: LibraryError? = nil) {
            failingName = name
            self.failure = failure
        }

        func stage(
            _ request: StageRequest,
            file: Descriptor
        ) throws(LibraryError) -> StageReply {
            if let failure, request.originalFilename == failingName { throw failure }
            return state.withLock { state in
                let number = Int64(100 + state.staged.count)
                state.staged[number] = request
                return StageReply(token: FileToken(number), size: 0)
            }
        }

        func releaseTokens(_ request: ReleaseTokensRequest) {
            state.withLock { $0.released += request.tokens.map(\.number) }
        }

        func commit(_ request: CommitRequest) -> CommitReply {
            state.withLock { state in
                state.commits.append(request.changes)
                return CommitReply(version: 8)
            }
        }

        func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
            throw LibraryError(.invalidRequest, "No test undoes anything.")
        }
    }

    private static func file(_ number: Int64, _ name: String) -> ResourceCreation {
        ResourceCreation(
            type: .photo,
            file: FileToken(number),
            originalFilename: name,
            path: "/photos/" + name
        )
    }

    private static func creation(_ files: [ResourceCreation]) -> ChangeOperation {
        let asset = AssetCreation(uuid: UUID().uuidString, resources: files)
        return ChangeOperation(request: "PHAssetCreationRequest", action: .createAsset(asset))
    }

    private static let files = (0..<3).map { _ in Descriptor(owning: -1) }
    private static let deletion = ChangeOperation(
        request: "PHAssetChangeRequest.deleteAssets",
        action: .deleteAssets(["a"])
    )

    /// Each token stands for the file with the name of its resource.
    @Test func everyFileHasItsToken() throws {
        let session = Session()
        let names = ["a.jpg", "b.jpg", "c.jpg", "a again.jpg"]
        let numbers: [Int64] = [0, 1, 2, 0]
        let changes = ChangeSet(
            operations: [Self.deletion]
                + zip(numbers, names).map { Self.creation([Self.file($0, $1)]) }
        )
        let reply = try session.commit(changes, files: Self.files)
        #expect(reply == CommitReply(version: 8))
        let state = session.state.withLock(\.self)
        let commit = try #require(state.commits.first)
        #expect(state.commits.count == 1 && state.staged.count == 4 && state.released == [])
        #expect(commit.operations.first == Self.deletion)
        #expect(commit.resources.map(\.originalFilename) == names)
        for resource in commit.resources {
            #expect(state.staged[resource.file.number] == StageRequest(for: resource))
        }
    }

    @Test func changesWithoutFilesAreCommittedAsTheyAre() throws {
        let session = Session()
        let changes = ChangeSet(operations: [Self.deletion])
        try session.commit(changes, files: [])
        let state = session.state.withLock(\.self)
        #expect(state.commits == [changes] && state.staged.isEmpty)
    }

    /// The error names the request of the file, and no file stays staged.
    @Test func aProblemReleasesAllFiles() throws {
        let failure = LibraryError(.noSpace, "The file cannot be copied.")
        let session = Session(failingAt: "c.jpg", with: failure)
        let changes = ChangeSet(operations: [
            Self.deletion, Self.creation([Self.file(0, "a.jpg"), Self.file(1, "b.jpg")]),
            Self.creation([Self.file(2, "c.jpg")]),
        ])
        let error = #expect(throws: LibraryError.self) {
            try session.commit(changes, files: Self.files)
        }
        #expect(error?.code == .noSpace)
        #expect(
            error?.message
                == "Change request 3 of 3 (PHAssetCreationRequest): The file cannot be copied."
        )
        let state = session.state.withLock(\.self)
        #expect(state.commits.isEmpty)
        #expect(Set(state.released) == Set(state.staged.keys))
    }

    /// These concern the whole change, and no single request.
    @Test(arguments: LibraryError.Code.allCases)
    func onlyProblemsOfAFileNameItsRequest(_ code: LibraryError.Code) throws {
        let failure = LibraryError(code, "It failed.")
        let changes = ChangeSet(operations: [Self.creation([Self.file(0, "a.jpg")])])
        let error = #expect(throws: LibraryError.self) {
            try Session(failingAt: "a.jpg", with: failure).commit(changes, files: Self.files)
        }
        let concernsAll = [.readOnly, .connectionLost, .busy].contains(code)
        #expect((error == failure) == concernsAll)
        #expect(error?.code == code)
    }

    @Test(arguments: [-1, 3, .max, .min] as [Int64])
    func aFileThatIsNotThereIsUnknown(_ number: Int64) throws {
        let session = Session()
        let changes = ChangeSet(operations: [Self.creation([Self.file(number, "a.jpg")])])
        let error = #expect(throws: LibraryError.self) {
            try session.commit(changes, files: Self.files)
        }
        #expect(error?.code == .tokenUnknown)
        #expect(error?.message.contains("/photos/a.jpg") == true)
        #expect(session.state.withLock(\.staged).isEmpty)
    }

    /// A file without a path is called by its name, and one without a name by its type.
    @Test func anUnknownFileIsNamedAsWellAsPossible() {
        var resource = Self.file(0, "a.jpg")
        resource.path = nil
        #expect(
            LibraryError.unknownToken(of: resource).message == "The file a.jpg is not staged."
        )
        resource.originalFilename = nil
        #expect(LibraryError.unknownToken(of: resource).message == "The file photo is not staged.")
    }

    /// An error of a file that no request added remains as it is.
    @Test func anErrorOfNoRequestIsNotNamed() {
        let changes = ChangeSet(operations: [Self.deletion])
        let error = LibraryError(.noSpace, "It failed.")
        #expect(changes.named(error, file: FileToken(0)) == error)
    }
}
