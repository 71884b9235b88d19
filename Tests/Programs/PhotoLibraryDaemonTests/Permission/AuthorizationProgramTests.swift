import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// The permission of programs that use the daemon, which alone knows it and asks for it.
@Suite(.timeLimit(.minutes(3))) struct AuthorizationProgramTests {
    private let home: DaemonHome
    private let dialog: FakeDialog

    init() throws {
        home = try DaemonHome()
        dialog = try FakeDialog(home)
        try home.succeed("create", daemon: "0")
    }

    private static let client = BuiltProducts.executable("access-client").path

    private func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
            Self.client,
            arguments,
            environment: home.environment.merging(["PHOTOS_DAEMON": "1"]) { $1 }
        )
    }

    /// Requests permission on threads, one for each client.
    private func request(
        _ clients: [RemoteLibrary],
        _ level: AccessLevel = .readWrite
    ) -> Monitor<[AuthorizationReply?]> {
        let replies = Monitor<[AuthorizationReply?]>([])
        for client in clients {
            _ = NamedThread.start("request") {
                let reply = try? client.requestAuthorization(AuthorizationRequest(level: level))
                replies.update { $0.append(reply) }
            }
        }
        return replies
    }

    private func status(
        _ client: some LibraryService,
        _ level: AccessLevel = .readWrite
    ) throws -> AccessStatus {
        try client.authorizationStatus(AuthorizationStatusRequest(level: level)).status
    }

    /// Waits until a number of clients have a call in progress.
    private func waits(forCalls count: Int, _ observer: RemoteLibrary) throws -> Bool {
        try home.waits {
            try observer.daemonStatus().clients.filter { $0.calls == 1 }.count == count + 1
        }
    }

    @Test("The daemon asks, keeps the answer and tells the program")
    func answered() throws {
        try home.startDaemon(variables: dialog.variables)
        let client = try home.client(role: .program)
        #expect(try status(client) == .notDetermined)
        let replies = request([client])
        dialog.answer("Allow All Photos", home)
        #expect(replies.wait { $0.first } == AuthorizationReply(status: .authorized))
        #expect(try [status(client), status(client, .addOnly)] == [.authorized, .authorized])
        // The name is that of the program that the kernel knows.
        let program = try client.welcome().program
        #expect(dialog.texts.contains("(\(program)) would like to see and change"))
        #expect(try home.succeed("access", "list", daemon: "0").contains(program))
        // Nobody is asked again, at any level.
        for level in AccessLevel.allCases {
            let reply = try client.requestAuthorization(AuthorizationRequest(level: level))
            #expect(reply.status == .authorized)
        }
        #expect(dialog.asked.count == 1)
    }

    @Test("A program is limited to the selection of its user, who changes it")
    func limited() throws {
        let source = try home.drawPhotos("a.jpg", "b.jpg")
        try home.succeed("import", source, daemon: "0")
        try home.startDaemon(variables: dialog.variables)
        let owner = try home.client()
        let ids = try owner.fetch(AssetFetchRequest()).ids
        let uuids = try owner.loadAssets(AssetLoadRequest(ids: ids)).assets.map(\.uuid)
        let client = try home.client(role: .program)
        #expect(try client.limitedSelection().assetUUIDs == nil)
        let replies = request([client])
        dialog.answer("Select Photos…", home)
        dialog.answer(uuids[0], home)
        #expect(replies.wait { $0.first }??.status == .limited)
        #expect(try client.limitedSelection().assetUUIDs == [uuids[0]])
        // More fetches than the rate of a limited program wait.
        for _ in 0..<500 { #expect(try client.fetch(AssetFetchRequest()).ids.count == 1) }
        let subscription = try client.subscribe()
        let epoch = try client.status().epoch
        let added = Monitor<SelectionChangeReply?>(nil)
        _ = NamedThread.start("selection") {
            let reply = try? client.changeSelection()
            added.update { $0 = reply }
        }
        dialog.answer(uuids.joined(separator: " "), home)
        #expect(added.wait { $0 }?.added == [uuids[1]])
        #expect(try client.limitedSelection().assetUUIDs == uuids.sorted())
        #expect(try client.status().epoch > epoch)
        var entry = pollfd(fd: subscription.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 20_000) == 1)
    }

    @Test("Simultaneous requests of a program are one question, also if nobody answers")
    func once() throws {
        try home.startDaemon(variables: dialog.variables)
        let observer = try home.client(role: .observer)
        let clients = try (0..<3).map { _ in try home.client(role: .program) }
        let replies = request(clients)
        #expect(try waits(forCalls: 3, observer))
        // Other calls are not delayed by the question.
        #expect(try clients.allSatisfy { try status($0) == .notDetermined })
        dialog.answer("closed", home)
        let answers = try #require(replies.wait { $0.count == 3 ? $0 : nil })
        #expect(answers.allSatisfy { $0?.status == .denied && $0?.remark != nil })
        #expect(dialog.asked.count == 1)
        #expect(try status(clients[0]) == .notDetermined)
    }

    @Test("The question of a client that is gone is withdrawn, and stores nothing")
    func disconnected() throws {
        try home.startDaemon(variables: dialog.variables)
        let observer = try home.client(role: .observer)
        for count in 1...3 {
            let child = try start("request", "read-write")
            #expect(home.waits { dialog.asked.count == count && dialog.isShown })
            child.kill()
            child.wait()
            #expect(home.waits { !dialog.isShown })
            #expect(try home.waits { try observer.daemonStatus().clients.count == 1 })
        }
        #expect(try !home.succeed("access", "list", daemon: "0").contains("access-client"))
        let child = try start("request", "read-write")
        dialog.answer("Don’t Allow", home)
        #expect(child.wait() == 0)
        #expect(try home.succeed("access", "list", daemon: "0").contains("access-client"))
    }

    @Test("The daemon ends while somebody is being asked")
    func ends() throws {
        let daemon = try home.startDaemon(variables: dialog.variables)
        let child = try start("request", "read-write")
        #expect(home.waits { dialog.isShown })
        daemon.kill(SIGTERM)
        #expect(daemon.wait() == 0)
        #expect(home.waits { !dialog.isShown })
        child.kill()
    }

    @Test("Nothing that a client states grants a permission")
    func stated() throws {
        try home.startDaemon()
        let override = home.environment.merging([
            "PHOTOS_DAEMON": "1", "PHOTOS_ACCESS": "authorized,hidden",
        ]) { $1 }
        var changes = ProcessInfo.processInfo.environment.mapValues { _ in nil as String? }
        for (name, value) in override { changes[name] = value }
        let output = try ProcessRunner.run(Self.client, ["status"], environment: changes)
        #expect(output.text == "status notDetermined notDetermined notDetermined\n")
        // Without a desktop, nobody is asked, and the remark says what to do.
        let client = try home.client(role: .program)
        let reply = try client.requestAuthorization(AuthorizationRequest(level: .addOnly))
        #expect(reply.status == .denied)
        #expect(reply.remark?.contains("photos access grant") == true)
        #expect(try status(client, .addOnly) == .notDetermined)
        // The owner by its role has what the design calls a convention.
        let owner = try home.client()
        #expect(try status(owner) == .authorized)
    }

    @Test("A program has its permission before there is a library")
    func withoutLibrary() throws {
        try FileManager.default.removeItem(atPath: home.library)
        try home.startDaemon(variables: dialog.variables)
        let child = try start("request", "add-only")
        dialog.answer("Allow", home)
        #expect(child.wait() == 0)
        let observer = try home.client(role: .observer)
        #expect(try status(observer, .addOnly) == .notDetermined)
        #expect(throws: LibraryError.self) { try observer.changeSelection() }
        #expect(throws: LibraryError.self) { try observer.limitedSelection() }
        #expect(try home.succeed("access", "list", daemon: "0").contains("access-client"))
    }

    @Test("A revocation ends what running clients see, within the next call")
    func revoked() throws {
        let source = try home.drawPhotos("a.jpg", "b.jpg")
        try home.succeed("import", source, daemon: "0")
        try home.startDaemon()
        let clients = try (0..<4).map { _ in try home.client(role: .program) }
        let program = try clients[0].welcome().program
        try home.succeed("access", "grant", program, daemon: "0")
        let subscription = try clients[0].subscribe()
        let epoch = try clients[0].status().epoch
        // Calls that began after the revocation see nothing.
        let state = Monitor((isRevoked: false, ended: 0, seen: 0, leaked: 0))
        for client in clients {
            _ = NamedThread.start("reading") {
                var empty = 0
                while empty < 20 {
                    let isRevoked = state.withLock(\.isRevoked)
                    let count = (try? client.fetch(AssetFetchRequest()).ids.count) ?? 0
                    state.update { state in
                        if count > 0 { state.seen += 1 }
                        if isRevoked, count > 0 { state.leaked += 1 }
                    }
                    if count == 0 { empty += 1 }
                }
                state.update { $0.ended += 1 }
            }
        }
        #expect(state.wait(before: .now + .seconds(20)) { $0.seen > 40 ? true : nil } == true)
        try home.succeed("access", "revoke", program, daemon: "0")
        state.update { $0.isRevoked = true }
        #expect(state.wait(before: .now + .seconds(60)) { $0.ended == 4 ? true : nil } == true)
        #expect(state.withLock(\.leaked) == 0)
        var entry = pollfd(fd: subscription.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 20_000) == 1)
        #expect(try clients[0].status().epoch > epoch)
        #expect(try status(clients[0]) == .denied)
        let error = #expect(throws: LibraryError.self) { try clients[0].commit(album: "x") }
        #expect(error?.code == .accessDenied)
    }
}
