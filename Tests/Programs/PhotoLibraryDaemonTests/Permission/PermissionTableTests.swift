import EmbeddedLibrary
import Foundation
import Glibc
import LibraryService
import PermissionProbes
import PhotoModel
import ProgramAccess
import RemoteLibrary
import TestSupport
import Testing
import WorkerClient

/// Each call of the seam with each permission: over a loopback, and by programs of their own over
/// the daemon.
@Suite(.timeLimit(.minutes(5))) struct PermissionTableTests {
    private static let program = BuiltProducts.executable("permission-client")
        .resolvingSymlinksInPath().path

    private let home: DaemonHome
    private let store: AccessStore

    init() throws {
        home = try DaemonHome()
        store = AccessStore(folder: home.folder.file("state/swift-photos/access").path)
    }

    // MARK: - The library

    private func engine() throws -> LibraryEngine {
        let workers = WorkerPool.Configuration(
            executable: BuiltProducts.worker.path,
            maximumWorkers: 2
        )
        return try LibraryEngine.open(
            at: home.library,
            configuration: EmbeddedLibrary.Configuration(
                workers: workers,
                makesRenditionsWhenIdle: false
            )
        )
    }

    private static func commit(
        _ actions: [ChangeAction],
        _ library: any LibraryService,
        files: [Descriptor] = []
    ) throws {
        let operations = actions.map { ChangeOperation(request: "test", action: $0) }
        try library.commit(ChangeSet(operations: operations), files: files)
    }

    /// A label, which is metadata that the library has no field for.
    private static let label = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Label="Red"/></rdf:RDF></x:xmpmeta>
        """

    /// Returns a JPEG with the label.
    private static func labeled(_ jpeg: Data) -> Data {
        let packet = Data("http://ns.adobe.com/xap/1.0/\0".utf8) + Data(label.utf8)
        let length = packet.count + 2
        let marker = Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)])
        return jpeg.prefix(2) + marker + packet + jpeg.dropFirst(2)
    }

    private static func open(_ path: String) throws -> Descriptor {
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        try #require(number >= 0)
        return Descriptor(owning: number)
    }

    /// Creates the library, whose third asset is hidden from the start.
    private func subjects(_ library: any LibraryService) throws -> ProbeSubjects {
        let names = ["shown.jpg", "other.jpg", "hidden.jpg"]
        let uuids = names.map { _ in UUID().uuidString }
        let files = try names.enumerated().map { index, name in
            let photo = Self.labeled(try DaemonHome.photo(UInt64(index + 1)))
            return try Self.open(home.folder.write(photo, to: name).path)
        }
        let album = CollectionCreation(uuid: UUID().uuidString, kind: .album, title: "All")
        let creations = uuids.enumerated().map { index, uuid in
            var edit = AssetEdit()
            if index == 2 { edit.isHidden = true }
            let original = ResourceCreation(
                type: .photo,
                file: FileToken(Int64(index)),
                originalFilename: names[index]
            )
            return AssetCreation(uuid: uuid, resources: [original], edit: edit)
        }
        let content = ContentEdit(
            adjustments: ContentAdjustments(
                formatIdentifier: "org.example.probe",
                formatVersion: "1",
                data: Data([1])
            ),
            renderings: [ResourceCreation(type: .fullSizePhoto, file: FileToken(0))]
        )
        try Self.commit(creations.map { .createAsset($0) }, library, files: files)
        for (uuid, file) in zip(uuids, files) {
            try Self.commit([.editContent(uuid: uuid, content)], library, files: [file])
        }
        try Self.commit([.createCollection(album)], library)
        let members = ListEdit(steps: [.add(uuids)])
        try Self.commit([.editMembers(album: album.uuid, members)], library)
        var everything = AssetFetchRequest()
        everything.includesHidden = true
        let ids = try library.fetch(everything).ids
        let records = try library.loadAssets(AssetLoadRequest(ids: ids)).assets
        let assets = try uuids.map { uuid in
            let record = try #require(records.first { $0.uuid == uuid })
            let list = ResourceListRequest(assetUUID: uuid)
            let resources = try library.listResources(list).resources
            let resource = try #require(resources.first { $0.type == .photo })
            return ProbeSubjects.Asset(
                uuid: uuid,
                id: record.id,
                resource: resource.uuid,
                sha256: resource.sha256
            )
        }
        let scope = CollectionFetchRequest(scope: .containing(asset: uuids[0]))
        return ProbeSubjects(
            assets: assets,
            album: album.uuid,
            albumID: try #require(try library.fetchCollections(scope).ids.first),
            photo: try home.folder.write(DaemonHome.photo(9), to: "new.jpg").path
        )
    }

    /// Makes the choice of the user about a program.
    private func choose(
        _ level: PermissionTable.Level,
        _ subjects: ProbeSubjects,
        of library: String,
        for program: String = Self.program
    ) throws {
        let selection: Set<String> = [subjects.assets[0].uuid, subjects.assets[2].uuid]
        try store.change(program) { choice in
            choice =
                switch level {
                case .none, .owner: AccessChoice(readWrite: .denied, addOnly: .denied)
                case .addOnly: AccessChoice(readWrite: .denied, addOnly: .authorized)
                case .limited:
                    AccessChoice(readWrite: .limited, selections: [library: selection])
                case .unhidden: AccessChoice(readWrite: .authorized)
                case .full: AccessChoice(readWrite: .authorized, includesHidden: true)
                }
        }
    }

    // MARK: - The table

    @Test("Each call has a probe, and each probe a row")
    func complete() throws {
        let calls = Set(CallTable.all.map(\.name)).union(["openSession", "close"])
        #expect(Set(PermissionProbe.all.map(\.call)) == calls)
        #expect(PermissionTable.names == Set(PermissionProbe.all.map(\.name)))
        #expect(PermissionProbe.all.count == PermissionTable.names.count)
    }

    @Test("Each call has its outcome at each level, over the loopback and over the daemon")
    func outcomes() throws {
        try home.succeed("create", daemon: "0")
        let engine = try engine()
        defer { engine.close() }
        let owner = try engine.session()
        let subjects = try subjects(owner)
        let library = try owner.status().libraryUUID
        let file = try home.folder.write(JSONEncoder().encode(subjects), to: "subjects.json")
        // It has no desktop, so nobody is asked.
        let daemon = try home.startDaemon()
        for level in PermissionTable.Level.allCases {
            for isRemote in [false, true] {
                try choose(level, subjects, of: library)
                let report =
                    isRemote
                    ? try remote(level, file.path)
                    : try loopback(level, subjects, engine)
                let outcomes = report.outcomes
                let road = isRemote ? "daemon" : "loopback"
                expectPaths(in: report, at: level, road)
                for probe in PermissionProbe.all {
                    #expect(
                        outcomes[probe.name]
                            == PermissionTable.outcome(of: probe.name, at: level),
                        "\(probe.name), \(level), \(road)"
                    )
                }
                let restored = ChangeAction.restoreAssets(subjects.assets.map(\.uuid))
                try Self.commit([restored], owner)
            }
        }
        // Now errors are about files.
        for area in ["originals", "edits"] {
            try FileManager.default.removeItem(atPath: home.library + "/" + area)
        }
        for level in [PermissionTable.Level.full, .owner] {
            try choose(level, subjects, of: library)
            let report = try remote(level, file.path)
            #expect(report.outcomes["openResource"]?.contains("yes") == false)
            expectPaths(in: report, at: level, "daemon, without files")
            #expect(report.answers.revealing.contains("openResource") == (level == .owner))
        }
        #expect(!daemon.hasEnded)
    }

    @Test(
        "Each call has its outcome for programs whose permission is a boundary",
        arguments: Boundary.Kind.allCases
    )
    func outcomesOfBoundaries(_ kind: Boundary.Kind) throws {
        guard kind == .sandboxed ? hasBubblewrap : otherUser != nil else { return }
        try home.succeed("create", daemon: "0")
        let engine = try engine()
        defer { engine.close() }
        let owner = try engine.session()
        var subjects = try subjects(owner)
        let library = try owner.status().libraryUUID
        let boundary = try Boundary(kind, of: home)
        // The program adds a photo of its own.
        subjects.photo = try boundary.write(DaemonHome.photo(9), to: "new.jpg").path
        let file = try boundary.write(JSONEncoder().encode(subjects), to: "subjects.json")
        try boundary.startDaemon()
        for level in PermissionTable.Level.allCases where level != .owner {
            try choose(level, subjects, of: library, for: boundary.program)
            let output = try boundary.run(
                Self.program,
                [boundary.socket, home.library, ClientRole.program.rawValue, file.path]
            )
            try #require(output.status == 0, "\(output.errorText)")
            let report = try JSONDecoder().decode(ProbeReport.self, from: output.standardOutput)
            expectPaths(in: report, at: level, kind.rawValue)
            for probe in PermissionProbe.all {
                #expect(
                    report.outcomes[probe.name]
                        == PermissionTable.outcome(of: probe.name, at: level),
                    "\(probe.name), \(level), \(kind)"
                )
            }
            let restored = ChangeAction.restoreAssets(subjects.assets.map(\.uuid))
            try Self.commit([restored], owner)
        }
        let output = try boundary.run(
            Self.program,
            [boundary.socket, home.library, ClientRole.owner.rawValue, file.path]
        )
        #expect(output.status != 0)
        #expect(output.errorText.contains("as its owner"), "\(output.errorText)")
    }

    /// Only the owner receives the path of the library, in any answer to any call.
    private func expectPaths(
        in report: ProbeReport,
        at level: PermissionTable.Level,
        _ road: String
    ) {
        let calls = Set(CallTable.all.map(\.name))
        #expect(report.answers.calls.isSuperset(of: calls), "\(level), \(road)")
        guard level == .owner else {
            #expect(report.answers.revealing.isEmpty, "\(level), \(road)")
            return
        }
        #expect(report.answers.revealing.isSuperset(of: ["status", "renditionStatus"]), "\(road)")
    }

    private func loopback(
        _ level: PermissionTable.Level,
        _ subjects: ProbeSubjects,
        _ engine: LibraryEngine
    ) throws -> ProbeReport {
        let program = ClientProgram(ProgramIdentity(identifier: Self.program), store: store)
        let client = ClientIdentity(
            program: level == .owner ? nil : program,
            desk: QuestionDesk { nil }
        )
        let session = try engine.session(for: client)
        let library = LoopbackLibrary(level == .owner ? session : try PathlessSession(session))
        return ProbeReport(of: library, path: home.library, subjects)
    }

    private func remote(
        _ level: PermissionTable.Level,
        _ subjects: String
    ) throws -> ProbeReport {
        let role: ClientRole = level == .owner ? .owner : .program
        let output = try home.run(
            Self.program,
            [home.socket, home.library, role.rawValue, subjects],
            daemon: "1"
        )
        #expect(output.status == 0, "\(output.errorText)")
        return try JSONDecoder().decode(ProbeReport.self, from: output.standardOutput)
    }
}
