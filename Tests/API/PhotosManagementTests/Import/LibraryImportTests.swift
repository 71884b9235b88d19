import Foundation
import Photos
import PhotosManagement
import Testing

/// Uses only the public API, like any program: this target sees nothing else.
@Suite(.timeLimit(.minutes(2))) struct LibraryImportTests {
    let folder: URL
    let library: PhotoLibraryBundle

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-management-\(UUID().uuidString)")
        let source = folder.appendingPathComponent("source")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        for number in 0..<300 {
            try Data("note \(number)".utf8)
                .write(to: source.appendingPathComponent("\(number).txt"))
        }
        library = try PhotoLibraryBundle.openOrCreate(
            at: folder.appendingPathComponent("A.photolibrary")
        )
    }

    private func work(
        _ options: LibraryImport.Options = .init(),
        _ control: OperationControl = .init()
    ) -> LibraryImport {
        let path = SourcePath(folder.appendingPathComponent("source").path)
        return LibraryImport(library: library, paths: [path], options: options, control: control)
    }

    @Test func progressEndsWhereTheFilesDo() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = LibraryImport.Options()
        options.countsAhead = true
        var last = ImportProgress()
        let summary = try work(options).run { progress in
            #expect(progress.files > last.files)
            last = progress
        } handler: { _ in
        }
        #expect(summary.counts == [.unsupported: 300])
        #expect(last.files == 300)
        #expect(last.totalFiles == 300)
        #expect(last.isTotalKnown)
        #expect(!summary.wasStopped)
    }

    @Test func controlStopsBetweenBatches() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let control = OperationControl()
        var told = 0
        let summary = try work(.init(), control).run { event in
            told += 1
            control.stop()
        }
        #expect(summary.wasStopped)
        #expect(summary.files == told)
        #expect((1..<300).contains(told))
    }

    @Test func errorOfTheHandlerEndsTheImport() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        struct Enough: Error {}
        #expect(throws: Enough.self) { try work().run { _ in throw Enough() } }
        // The session is over; the next one begins.
        #expect(try work().run { _ in }.files == 300)
    }

    /// Blocks occupy the threads that Dispatch shares, so the test has a process of its own.
    @Test func importsNeedNoThreadThatBlocksOccupy() async {
        await #expect(processExitsWith: .success) {
            // Ends the process with a signal if the import waits for such a thread.
            alarm(30)
            let test = try LibraryImportTests()
            let never = DispatchSemaphore(value: 0)
            for _ in 0..<(100 + 2 * ProcessInfo.processInfo.activeProcessorCount) {
                DispatchQueue.global(qos: .userInitiated).async { never.wait() }
            }
            let files = try test.work().run { _ in }.files
            try FileManager.default.removeItem(at: test.folder)
            exit(files == 300 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
