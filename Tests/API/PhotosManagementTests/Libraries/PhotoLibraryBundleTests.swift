import Foundation
import Photos
import PhotosManagement
import Testing

/// Uses only the public API, like any program: this target sees nothing else.
@Suite(.timeLimit(.minutes(2))) struct PhotoLibraryBundleTests {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("photos-management-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func kind(_ body: () throws -> Void) -> LibraryFailure.Kind? {
        do {
            try body()
            return nil
        } catch {
            #expect(error is PHPhotosError)
            return LibraryFailure(error).kind
        }
    }

    @Test func newLibraryIsEmptyAndWhole() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("A.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        let library = try PhotoLibraryBundle.open(at: url)
        #expect(try library.readOnlyReason == nil)
        #expect(try library.fetchAssets(with: nil).count == 0)
        #expect(try library.facts(for: ["nonsense"]).isEmpty)
        let summary = try LibraryCheck(library: library).run { _ in Issue.record("a finding") }
        #expect(summary == LibraryCheck.Summary())
    }

    @Test func failuresAreToldApart() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("B.photolibrary")
        #expect(kind { _ = try PhotoLibraryBundle.open(at: url) } == .libraryMissing)
        #expect(kind { _ = try PhotoLibraryBundle.open(at: folder) } == .notALibrary)
        try PhotoLibraryBundle.create(at: url)
        #expect(kind { try PhotoLibraryBundle.create(at: url) } == .alreadyExists)
        let library = try PhotoLibraryBundle.openOrCreate(at: url)
        #expect(kind { _ = try library.resources(of: "nonsense") } == .identifierNotFound)
        try FileManager.default.removeItem(at: url)
        // The library existed before, so its volume is probably not mounted, and no new library is
        // created in its place.
        #expect(kind { _ = try PhotoLibraryBundle.openOrCreate(at: url) } == .volumeMissing)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func aCheckLeavesALibraryThatReplacedItsOwn() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let manager = FileManager.default
        let url = folder.appendingPathComponent("D.photolibrary")
        let restored = folder.appendingPathComponent("E.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        try PhotoLibraryBundle.create(at: restored)
        let library = try PhotoLibraryBundle.open(at: url)
        let name = "originals/0a/0A000000-0000-4000-8000-000000000001.jpg"
        let original = restored.appendingPathComponent(name)
        try manager.createDirectory(
            at: original.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data("a photo that only the restored library knows".utf8).write(to: original)
        var options = LibraryCheck.Options()
        options.repairs = true
        let check = LibraryCheck(library: library, options: options)
        var isReplaced = false
        let found = kind {
            _ = try check.run { _ in
                guard !isReplaced else { return }
                isReplaced = true
                // A restore exchanges the names of the two libraries.
                try manager.moveItem(at: url, to: folder.appendingPathComponent("D.replaced"))
                try manager.moveItem(at: restored, to: url)
            } handler: { _ in
            }
        }
        #expect(found == .libraryMissing)
        #expect(manager.fileExists(atPath: url.appendingPathComponent(name).path))
        for path in ["leftovers", "database/checked"] {
            #expect(!manager.fileExists(atPath: url.appendingPathComponent(path).path))
        }
    }

    @Test func otherErrorsKeepTheirWords() {
        let error = NSError(
            domain: "test",
            code: 1,
            userInfo: [
                NSLocalizedDescriptionKey: "It broke.",
                NSLocalizedRecoverySuggestionErrorKey: "Mend it.",
            ]
        )
        let failure = LibraryFailure(error)
        #expect(failure.kind == .other)
        #expect(failure.description == "It broke. Mend it.")
    }

    @Test func fetchThatCannotBeAnsweredThrows() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try PhotoLibraryBundle.openOrCreate(
            at: folder.appendingPathComponent("C.photolibrary")
        )
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "colour = 1")
        #expect(kind { _ = try library.fetchAssets(with: options) } == .unsupportedPredicate)
        options.predicate = NSPredicate(format: "colour = = 1")
        #expect(kind { _ = try library.fetchAssets(with: options) } == .malformedPredicate)
        options.predicate = nil
        options.sortDescriptors = [NSSortDescriptor(key: "colour", ascending: true)]
        #expect(kind { _ = try library.fetchAssets(with: options) } == .unsupportedSortKey)
        // The public form only logs the error.
        library.using { #expect(PHAsset.fetchAssets(with: options).count == 0) }
    }

    @Test func taskSeesTheLibraryItIsGiven() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try PhotoLibraryBundle.openOrCreate(
            at: folder.appendingPathComponent("1.photolibrary")
        )
        let second = try PhotoLibraryBundle.openOrCreate(
            at: folder.appendingPathComponent("2.photolibrary")
        )
        let outer = first.using { PHPhotoLibrary.shared() }
        let inner = await second.using {
            await Task.yield()
            return PHPhotoLibrary.shared()
        }
        #expect(outer != inner)
        #expect(first.using { PHPhotoLibrary.shared() } == outer)
        #expect(outer.unavailabilityReason == nil)
    }
}
