import LibraryService
import PhotoLibrary
import PhotoModel
import Synchronization
import Testing

/// The changes that a client may make, and how they are authorized.
@Suite(.timeLimit(.minutes(2))) struct ClientAccessTests {
    /// A decision that a test changes.
    private final class Decision: Sendable {
        private let next: Mutex<ClientGrant?>

        init(_ grant: ClientGrant) { next = Mutex(grant) }

        func set(_ grant: ClientGrant) { next.withLock { $0 = grant } }

        func take() -> ClientGrant? {
            next.withLock { next in
                defer { next = nil }
                return next
            }
        }
    }

    private static let refusal = LibraryError(.accessDenied, "It may not.")

    private static func access(_ grant: ClientGrant) -> ClientAccess {
        let decision = Decision(grant)
        return ClientAccess(.none, decision: { decision.take() })
    }

    private static let denied = ClientGrant(access: .none, mayCreate: false, refusal: refusal)
    private static let adding = ClientGrant(access: .none, mayCreate: true, refusal: refusal)
    private static let limited = ClientGrant(
        access: .limited(["seen"]),
        mayCreate: true,
        refusal: refusal
    )

    @Test func decisionsCountWhenTheyAreNews() {
        let decision = Decision(Self.denied)
        let access = ClientAccess(.none, decision: { decision.take() })
        #expect(access.state.epoch == 0)
        #expect(access.state.refusal == Self.refusal)
        decision.set(.everything)
        #expect(access.state.epoch == 1)
        #expect(access.state.access == .full)
        #expect(access.state.refusal == nil)
        // Visibility is unchanged, so observers receive nothing.
        decision.set(Self.denied)
        #expect(access.state.epoch == 2)
        decision.set(Self.adding)
        #expect(access.state.epoch == 2)
        #expect(access.state.mayCreate)
    }

    /// Clients compare epochs of several sessions, also of several processes.
    @Test func epochsAreNeverEqualForDifferentGrants() {
        let time = Atomic<Int64>(1_000)
        let epochs = AccessEpochs(now: { time.load(ordering: .relaxed) })
        func access(_ decision: Decision) -> ClientAccess {
            ClientAccess(.none, epochs: epochs, decision: { decision.take() })
        }
        let (one, other) = (Decision(Self.denied), Decision(Self.limited))
        let first = access(one)
        let second = access(other)
        #expect([first.state.epoch, second.state.epoch] == [1_000, 1_001])
        one.set(Self.limited)
        #expect(first.state.epoch == 1_002)
        // Only changes of what is visible count.
        one.set(Self.limited)
        #expect(first.state.epoch == 1_002)
        time.store(5_000, ordering: .relaxed)
        other.set(Self.denied)
        #expect(second.state.epoch == 5_000)
        // The clock is set back.
        time.store(10, ordering: .relaxed)
        one.set(Self.denied)
        #expect(first.state.epoch == 5_001)
        #expect(access(Decision(.everything)).state.epoch == 5_002)
        // A session in another process is later than all of this one.
        let before = AccessEpochs.wallTime()
        let present = ClientAccess(.none, epochs: .shared, decision: { nil }).state.epoch
        #expect(before > 1_700_000_000_000 && present >= before)
    }

    private func code(_ actions: ChangeAction..., for grant: ClientGrant) -> LibraryError.Code? {
        let operations = actions.map { ChangeOperation(request: "request", action: $0) }
        do throws(LibraryError) {
            _ = try Self.access(grant).check(ChangeSet(operations: operations))
            return nil
        } catch {
            #expect(error.message.contains("(request)"))
            return error.code
        }
    }

    /// Behaviors 9, 12, 13 and 14.
    @Test func changesAreCheckedAgainstWhatIsSeen() throws {
        let create = ChangeAction.createAsset(AssetCreation(uuid: "new"))
        let editNew = ChangeAction.editAsset(uuid: "new", AssetEdit())
        let editSeen = ChangeAction.editAsset(uuid: "seen", AssetEdit())
        let editOther = ChangeAction.editAsset(uuid: "other", AssetEdit())
        let album = ChangeAction.createCollection(
            CollectionCreation(uuid: "album", kind: .album, title: "A")
        )
        let purge = ChangeAction.purgeAssets(["seen"])
        for action in [create, editNew, editSeen, editOther, album, purge] {
            #expect(code(action, for: .everything) == nil)
            #expect(code(action, for: Self.denied) == .accessDenied)
        }
        #expect(code(create, editNew, for: Self.adding) == nil)
        #expect(code(create, editSeen, for: Self.adding) == .accessDenied)
        #expect(code(album, for: Self.adding) == .accessDenied)
        #expect(code(create, editNew, editSeen, for: Self.limited) == nil)
        #expect(code(.deleteAssets(["seen"]), for: Self.limited) == nil)
        #expect(code(editOther, for: Self.limited) == .identifierNotFound)
        #expect(code(.deleteAssets(["seen", "other"]), for: Self.limited) == .identifierNotFound)
        #expect(code(album, for: Self.limited) == .accessDenied)
        #expect(code(purge, for: Self.limited) == .accessDenied)
        let changes = ChangeSet(operations: [ChangeOperation(request: "r", action: create)])
        #expect(try Self.access(Self.limited).check(changes) == ["new"])
        #expect(try Self.access(Self.adding).check(changes).isEmpty)
        #expect(try Self.access(.everything).check(changes).isEmpty)
    }

    @Test func wholeLibrariesAreForWhoSeesThem() {
        #expect(throws: Self.refusal) { try Self.access(Self.limited).requireEverything() }
        #expect(throws: Never.self) { try Self.access(.everything).requireEverything() }
    }
}
