import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// All operations at once (pains 25).
///
/// `PHOTOS_STRESS_SECONDS` sets the duration, by default 2.
@Suite(.timeLimit(.minutes(5))) struct StressTests {
    private static let duration =
        ProcessInfo.processInfo.environment["PHOTOS_STRESS_SECONDS"].flatMap(Double.init) ?? 2

    private final class Counters: Sendable {
        let running = Atomic(0)
        let operations = Atomic(0)
        let failures = Mutex<[String]>([])
    }

    @Test("64 threads fetch, change, observe and read files, and nothing hangs")
    func mixed() throws {
        let folder = try Folder()
        _ = try Tool.run(
            Tool.executable("photos-samples"),
            ["--out", folder.url.path, "--count", "4", "--megapixels", "0.1"]
        )
        let library = try ChangingLibrary(assets: 300)
        _ = try LibraryImport(library: library.bundle, paths: [SourcePath(folder.url.path)])
            .run { _ in }
        for number in 0..<4 { _ = try library.addAlbum("\(number)") }
        let counters = Counters()
        let inside = CallLog { change in
            // Inside of a call everything is allowed: no lock is held.
            let result = library.assets { $0.fetchLimit = 5 }
            _ = change.changeDetails(for: result)
            let log = CallLog()
            library.photos.register(log as any PHPhotoLibraryChangeObserver)
            library.photos.unregisterChangeObserver(log)
            if let asset = result.firstObject, counters.operations.load(ordering: .relaxed) % 7 == 0
            {
                library.photos.performChanges {
                    PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
                } completionHandler: { _, _ in
                }
            }
        }
        library.photos.register(inside as any PHPhotoLibraryChangeObserver)
        let end = ContinuousClock.now + .seconds(Self.duration)
        for number in 0..<64 {
            counters.running.add(1, ordering: .relaxed)
            let thread = Thread {
                defer {
                    counters.running.subtract(1, ordering: .releasing)
                    Signals.send()
                }
                while ContinuousClock.now < end {
                    Self.work(number, library, counters)
                    counters.operations.add(1, ordering: .relaxed)
                }
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
        // The watchdog.
        wait(for: "all threads end", seconds: Self.duration + 90) {
            counters.running.load(ordering: .acquiring) == 0
        }
        #expect(counters.operations.load(ordering: .relaxed) > 64)
        let failures = counters.failures.withLock { $0 }
        #expect(failures.isEmpty, "\(failures.prefix(3))")
        let heard = inside.count
        let asset = try #require(library.assets().firstObject)
        let isFavorite = !asset.isFavorite
        try library.change { PHAssetChangeRequest(for: asset).isFavorite = isFavorite }
        wait(for: "the library still tells") { inside.count > heard }
    }

    private static func work(
        _ number: Int,
        _ library: ChangingLibrary,
        _ counters: Counters
    ) {
        let assets = library.assets()
        guard assets.count > 0 else { return }
        let asset = assets[(number * 37) % assets.count]
        switch number % 8 {
        case 0, 1:
            do {
                try library.change {
                    PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
                }
            } catch {
                counters.failures.withLock { $0.append("\(error)") }
            }
        case 2:
            let done = DispatchSemaphore(value: 0)
            library.photos.performChanges {
                PHAssetChangeRequest(for: asset).isHidden = false
                PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
            } completionHandler: { success, error in
                if !success {
                    counters.failures.withLock { $0.append("\(String(describing: error))") }
                }
                done.signal()
            }
            done.wait()
        case 3:
            let log = CallLog { change in _ = change.changeDetails(for: assets) }
            library.photos.register(log as any PHPhotoLibraryChangeObserver)
            _ = library.assets { $0.fetchLimit = 3 }.firstObject
            if number % 2 == 0 { library.photos.unregisterChangeObserver(log) }
        case 4:
            guard let resource = PHAssetResource.assetResources(for: asset).first else { return }
            let done = DispatchSemaphore(value: 0)
            PHAssetResourceManager.default().requestData(for: resource, options: nil) { _ in
            } completionHandler: { _ in
                done.signal()
            }
            done.wait()
        case 5:
            let token = library.photos.currentChangeToken
            _ = try? library.photos.fetchPersistentChanges(since: token).map(\.changeToken)
        case 6:
            let albums = library.albums()
            guard albums.count > 0 else { return }
            let album = albums[number % albums.count]
            do {
                try library.change {
                    PHAssetCollectionChangeRequest(for: album)?.addAssets([asset] as NSArray)
                }
            } catch {
                counters.failures.withLock { $0.append("\(error)") }
            }
        default:
            assets.enumerateObjects(options: .concurrent) { object, index, stop in
                _ = object.isFavorite
                if index > 200 { stop.pointee = true }
            }
        }
    }
}
