import Foundation
import Glibc
import LibraryService
import PhotoModel
import Synchronization
import TestSupport
import Testing

@testable import PhotosManagement

/// The order in which a library export makes names durable, reports files and places the list.
@Suite(.timeLimit(.minutes(2))) struct LibraryExportRunTests {
    /// Two whole steps and a part.
    private static let count = 450
    private static let step = 200
    /// The original and the sidecar.
    private static let filesPerAsset = 2
    private static let sha256 = String(repeating: "0", count: 64)

    private let folder: TemporaryFolder
    private let library = FakeLibrary(assets: Self.count)
    private let disk: FakeDisk

    private var out: String { folder.file("new/out").path }
    private var list: String { out + "/library.jsonl" }

    /// Prepares a library with an album, whose assets are in three months in turn.
    init() throws {
        folder = try TemporaryFolder()
        disk = FakeDisk(list: folder.file("new/out/library.jsonl").path)
        let file = try folder.write(Data("data".utf8), to: "stored").path
        library.state.withLock { state in
            for index in state.assets.indices {
                let days = Double(index % 3) * 40
                state.assets[index].creationDate =
                    Date(timeIntervalSinceReferenceDate: days * 86_400)
                let asset = state.assets[index]
                let uuid = UUID().uuidString
                state.files[uuid] = file
                state.resources.append(
                    ResourceRecord(
                        id: asset.id,
                        uuid: uuid,
                        assetID: asset.id,
                        assetUUID: asset.uuid,
                        type: .photo,
                        originalFilename: asset.originalFilename,
                        contentType: asset.contentType,
                        path: "originals/\(uuid)",
                        size: 4,
                        sha256: Self.sha256,
                        pixelSize: PixelSize(width: 1, height: 1)
                    )
                )
            }
            let album = CollectionRecord(
                id: 1,
                uuid: UUID().uuidString,
                kind: .album,
                title: "All",
                parentID: 0,
                position: 0,
                creationDate: Date(timeIntervalSinceReferenceDate: 0)
            )
            state.export = FakeExport(albums: [album], sha256: Self.sha256)
        }
    }

    @discardableResult
    private func export(
        control: OperationControl = OperationControl(),
        progress: (LibraryExport.Progress) throws -> Void = { _ in },
        handler: @escaping (LibraryExport.Outcome) throws -> Void = { _ in }
    ) throws -> LibraryExport.Summary {
        let run = try LibraryExportRun(
            service: library,
            path: out,
            options: LibraryExport.Options(),
            control: control,
            folderSync: disk.folderSync,
            handler: handler
        )
        return try run.run(progress)
    }

    /// Removes all assets but the first ones.
    private func keep(_ count: Int) {
        library.state.withLock { $0.assets = Array($0.assets.prefix(count)) }
    }

    private var hasList: Bool { access(list, F_OK) == 0 }

    // MARK: - Whole exports

    @Test func filesAreReportedOnceTheirNamesAreDurable() throws {
        var reported = 0
        let summary = try export { progress in
            // All files of whole steps, and no others.
            let isLast = progress.assets == Self.count
            let settled = isLast ? Self.count : progress.assets / Self.step * Self.step
            #expect(reported == settled * Self.filesPerAsset)
        } handler: { outcome in
            #expect(outcome.kind == .exported)
            #expect(disk.isDurable(outcome.path, below: folder.path), "\(outcome.path)")
            reported += 1
        }
        #expect(summary.counts == [.exported: Self.count * Self.filesPerAsset])
        #expect(reported == Self.count * Self.filesPerAsset)
    }

    @Test func allNamesAreDurableBeforeTheListIsPlaced() throws {
        keep(5)
        try export()
        // Files, folders, links, the order of the album and the log of names.
        let names = try FileManager.default.subpathsOfDirectory(atPath: out)
        #expect(names.contains("Albums/All/IMG_1.JPG") && names.contains("Albums/All/.album.json"))
        for name in names {
            #expect(disk.isDurable(out + "/" + name, below: folder.path), "\(name)")
        }
        #expect(disk.isDurable(list, below: folder.path))
        // Only the name of the list was not durable when it was placed.
        #expect(disk.late == [out])
    }

    /// A killed export has placed files whose names are not durable.
    @Test func unchangedFilesAreReportedOnceTheirNamesAreDurable() throws {
        keep(Self.step + 50)
        try export()
        disk.forget()
        var reported = 0
        let summary = try export(handler: { outcome in
            #expect(outcome.kind == .unchanged)
            #expect(disk.isDurable(outcome.path, below: folder.file("new").path))
            reported += 1
        })
        #expect(summary.counts == [.unchanged: (Self.step + 50) * Self.filesPerAsset])
        #expect(reported == (Self.step + 50) * Self.filesPerAsset)
        #expect(disk.isDurable(out + "/Albums/All/IMG_1.JPG", below: folder.file("new").path))
    }

    // MARK: - Exports that end early

    @Test func aStoppedExportReportsTheFilesOfItsStep() throws {
        let control = OperationControl()
        var reported = 0
        let summary = try export(control: control) { progress in
            if progress.assets == 230 { control.stop() }
        } handler: { outcome in
            #expect(disk.isDurable(outcome.path, below: folder.path), "\(outcome.path)")
            reported += 1
        }
        #expect(summary.wasStopped)
        #expect(summary.assets == 230)
        #expect(reported == 230 * Self.filesPerAsset)
        #expect(summary.counts == [.exported: reported])
        #expect(!hasList)
        let rest = try export()
        #expect(!rest.wasStopped)
        let others = (Self.count - 230) * Self.filesPerAsset
        #expect(rest.counts == [.unchanged: reported, .exported: others])
        #expect(hasList)
    }

    @Test func anErrorLosesNoReports() throws {
        var reported = 0
        let error = #expect(throws: LibraryError.self) {
            _ = try export { progress in
                guard progress.assets == 230 else { return }
                library.state.withLock { $0.failure = LibraryError(.busy, "It is busy.") }
            } handler: { outcome in
                #expect(disk.isDurable(outcome.path, below: folder.path), "\(outcome.path)")
                reported += 1
            }
        }
        #expect(error?.code == .busy)
        #expect(reported == 230 * Self.filesPerAsset)
        #expect(!hasList)
    }

    @Test func anErrorOfTheHandlerEndsTheReports() throws {
        struct Enough: Error {}
        keep(5)
        var reported = 0
        #expect(throws: Enough.self) {
            _ = try export(handler: { _ in
                reported += 1
                if reported == 3 { throw Enough() }
            })
        }
        #expect(reported == 3)
        #expect(!hasList)
    }

    @Test func filesWhoseNamesAreNotDurableAreNotReported() throws {
        var reported = 0
        let error = #expect(throws: LibraryError.self) {
            _ = try export { progress in
                if progress.assets == 230 { disk.fail(with: EIO) }
            } handler: { _ in
                reported += 1
            }
        }
        #expect(error?.code == .inputOutput)
        #expect(error?.reason?.isEmpty == false)
        #expect(error?.recovery?.isEmpty == false)
        #expect(reported == Self.step * Self.filesPerAsset)
        #expect(!hasList)
    }

    // MARK: - File systems

    @Test(arguments: [EINVAL, ENOSYS, EOPNOTSUPP])
    func fileSystemsThatCannotSyncFoldersAreEnough(number: Int32) throws {
        keep(5)
        disk.fail(with: number)
        var reported = 0
        try export(handler: { _ in reported += 1 })
        #expect(reported == 5 * Self.filesPerAsset)
        #expect(hasList)
    }

    @Test func anInterruptedSyncIsRepeated() throws {
        keep(5)
        disk.fail(with: EINTR, times: 1)
        try export(handler: { outcome in
            #expect(disk.isDurable(outcome.path, below: folder.path), "\(outcome.path)")
        })
        #expect(disk.isDurable(list, below: folder.path))
    }
}

/// Records which names are durable: those that a folder had when it was synced last.
private final class FakeDisk: Sendable {
    private struct State {
        var names: [String: Set<String>] = [:]
        var late: [String] = []
        var number: Int32 = 0
        var failures = 0
    }

    private let state = Mutex(State())
    /// The path of the export's list.
    private let list: String

    init(list: String) { self.list = list }

    var folderSync: FolderSync {
        FolderSync { [self] _, path in sync(path) }
    }

    /// The folders that were synced while the list existed.
    var late: [String] { state.withLock(\.late) }

    /// Lets the next syncs fail.
    func fail(with number: Int32, times: Int = .max) {
        state.withLock { state in
            state.number = number
            state.failures = times
        }
    }

    /// Forgets which names are durable.
    func forget() {
        state.withLock { $0.names = [:] }
    }

    /// Returns whether the names that lead to a file from a folder above it are durable.
    func isDurable(_ path: String, below top: String) -> Bool {
        let names = state.withLock(\.names)
        var path = path
        while path != top {
            let folder = (path as NSString).deletingLastPathComponent
            let name = (path as NSString).lastPathComponent
            guard names[folder]?.contains(name) == true else { return false }
            path = folder
        }
        return true
    }

    private func sync(_ path: String) -> Int32 {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let isLate = access(list, F_OK) == 0
        let number: Int32 = state.withLock { state in
            if isLate { state.late.append(path) }
            guard state.failures == 0 else {
                state.failures -= 1
                return state.number
            }
            state.names[path] = Set(names)
            return 0
        }
        guard number != 0 else { return 0 }
        errno = number
        return -1
    }
}
