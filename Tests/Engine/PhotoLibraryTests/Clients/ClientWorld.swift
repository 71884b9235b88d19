import Dispatch
import Foundation
import Glibc
import LibraryService
import PhotoLibrary
import PhotoModel
import ProgramAccess
import RenditionFixture
import Synchronization
import TestSupport
import WorkerClient

@testable import EmbeddedLibrary

/// A library with pictures, for several clients of one engine.
struct ClientWorld {
    let library: RenditionWorld
    let access: AccessStore

    init() throws {
        LibraryWorld.isolateState()
        library = try RenditionWorld()
        access = AccessStore(folder: library.folder.file("access").path)
    }

    var path: String { library.folder.file("Test.photolibrary").path }

    /// Opens an engine, with a worker of its own if there is an executable for it.
    func engine(worker: String = BuiltProducts.worker.path) throws -> LibraryEngine {
        try LibraryEngine.open(
            at: path,
            configuration: EmbeddedLibrary.Configuration(
                workers: WorkerPool.Configuration(executable: worker, maximumWorkers: 4),
                makesRenditionsWhenIdle: false
            )
        )
    }

    /// A program whose user made a choice.
    func program(_ identifier: String, _ choice: AccessChoice) throws -> ClientProgram {
        try access.change(identifier) { $0 = choice }
        return ClientProgram(ProgramIdentity(identifier: identifier), store: access)
    }

    /// The folders of sessions that stage files at present.
    var stagingFolders: Set<String> {
        let staging = library.store.bundle.staging
        return Set((try? FileManager.default.contentsOfDirectory(atPath: staging)) ?? [])
    }

    static func edit(_ uuid: String, _ change: (inout AssetEdit) -> Void) -> CommitRequest {
        var edit = AssetEdit()
        change(&edit)
        let operation = ChangeOperation(request: "r", action: .editAsset(uuid: uuid, edit))
        return CommitRequest(changes: ChangeSet(operations: [operation]))
    }

    /// Returns the assets that a client sees, hidden ones included if it may see them.
    static func visible(to service: any LibraryService) throws -> Set<String> {
        var request = AssetFetchRequest()
        request.includesHidden = true
        let ids = try service.fetch(request).ids
        return Set(try service.loadAssets(AssetLoadRequest(ids: ids)).assets.map(\.uuid))
    }
}

/// A worker that starts only after the test has opened the gate, and records each start.
final class GatedWorker: Sendable {
    let executable: String
    private let pipe: String
    private let starts: String
    private let writer = Mutex<Descriptor?>(nil)

    init(in folder: TemporaryFolder) throws {
        pipe = folder.file("gate").path
        starts = folder.file("starts").path
        guard mkfifo(pipe, 0o600) == 0 else { throw SystemError.last("mkfifo", path: pipe) }
        let script = """
            #!/bin/sh
            echo start >> '\(starts)'
            read line < '\(pipe)'
            exec '\(BuiltProducts.worker.path)' "$@"
            """
        let file = try folder.write(Data(script.utf8), to: "gated-worker")
        executable = file.path
        guard chmod(executable, 0o700) == 0 else { throw SystemError.last("chmod") }
    }

    deinit { open() }

    /// Lets all workers start, from now on.
    func open() {
        writer.withLock { writer in
            guard writer == nil else { return }
            let number = Glibc.open(pipe, O_RDWR | O_CLOEXEC)
            guard number >= 0 else { return }
            let lines = Array(repeating: "go\n", count: 100).joined()
            _ = write(number, lines, lines.utf8.count)
            writer = Descriptor(owning: number)
        }
    }

    /// The number of workers that were started.
    var startCount: Int {
        (try? String(contentsOfFile: starts, encoding: .utf8))?.split(separator: "\n").count ?? 0
    }
}

/// A call on a thread of its own.
final class BackgroundCall<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [self] in
            let result = Result { try body() }
            self.result.withLock { $0 = result }
            ended.signal()
        }
    }

    /// Waits for the result.
    func get() throws -> Value {
        ended.wait()
        defer { ended.signal() }
        guard let result = result.withLock(\.self) else { throw CocoaError(.featureUnsupported) }
        return try result.get()
    }
}
