import Foundation
import Photos
import PhotosManagement

/// An ordinary program that uses Photos, for tests that need another process.
///
///     observing-client token LIBRARY               prints an archived change token
///     observing-client since LIBRARY TOKEN         prints the changes since the token
///     observing-client favorite LIBRARY ID COUNT   toggles a favorite the given number of times
///     observing-client observe LIBRARY             prints a line per notification until stdin ends
///     observing-client run LIBRARY NAME COUNT TOTAL SEED
///     observing-client hold LIBRARY                fetches without permission for hidden photos,
///                                                  and prints what it holds after a line of stdin
///     observing-client visible LIBRARY             follows what it may see without that permission
@main
enum ObservingClient {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { throw ClientError("observing-client MODE LIBRARY …") }
        if ["hold", "visible"].contains(arguments[0]) {
            // As an ordinary program, not as the library's owner.
            setenv("PHOTOS_LIBRARY", arguments[1], 1)
            setenv("PHOTOS_ACCESS", "authorized", 1)
        } else {
            try PhotoLibraryBundle.open(at: URL(fileURLWithPath: arguments[1])).use()
        }
        switch (arguments[0], arguments.count) {
        case ("token", 2): try printToken()
        case ("since", 3): try printChanges(since: arguments[2])
        case ("favorite", 4): try toggle(arguments[2], Int(arguments[3]) ?? 1)
        case ("observe", 2): observe()
        case ("run", 6):
            guard let count = Int(arguments[3]), let total = Int(arguments[4]),
                let seed = UInt64(arguments[5])
            else { throw ClientError("Numbers are wanted.") }
            try ObservedRun(name: arguments[2], count: count, total: total, seed: seed).run()
        case ("hold", 2): hold()
        case ("visible", 2): RestrictedRun().run()
        default: throw ClientError("Unknown mode \(arguments[0]).")
        }
    }

    /// Writes a line immediately.
    static func say(_ words: String...) {
        let line = Array((words.joined(separator: " ") + "\n").utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }

    private static func printToken() throws {
        let token = PHPhotoLibrary.shared().currentChangeToken
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token,
            requiringSecureCoding: true
        )
        say(data.base64EncodedString())
    }

    private static func printChanges(since text: String) throws {
        guard let data = Data(base64Encoded: text),
            let token = try NSKeyedUnarchiver.unarchivedObject(
                ofClass: PHPersistentChangeToken.self,
                from: data
            )
        else { throw ClientError("That is no token.") }
        for change in try PHPhotoLibrary.shared().fetchPersistentChanges(since: token) {
            let details = try change.changeDetails(for: .asset)
            say(
                "change",
                "\(details.insertedLocalIdentifiers.count)",
                "\(details.updatedLocalIdentifiers.count)",
                "\(details.deletedLocalIdentifiers.count)"
            )
        }
    }

    private static func toggle(_ identifier: String, _ count: Int) throws {
        for _ in 0..<count {
            let assets = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil)
            guard let asset = assets.firstObject else { throw ClientError("There is no asset.") }
            // The time of the request, for tests that measure the latency of notifications.
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
            }
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            say("committed", "\(now.tv_sec * 1_000_000_000 + now.tv_nsec)")
            // The reader requests the next change.
            guard readLine() != nil else { return }
        }
    }

    private static func hold() {
        let result = PHAsset.fetchAssets(with: nil)
        say("ready", "\(result.count)")
        guard readLine() != nil else { return }
        for index in 0..<result.count {
            let asset = result[index]
            let numbers = "\(asset.mediaType.rawValue) \(asset.pixelWidth) \(asset.isHidden)"
            say("asset", asset.localIdentifier, numbers, "\(asset.isFavorite)")
        }
        let types: [PHAssetMediaType] = [.image, .video]
        say("counts", "\(types.map { result.countOfAssets(with: $0) })")
        say("place", "\(result.lastObject.map { result.index(of: $0) } ?? -1)")
    }

    private static func observe() {
        let result = PHAsset.fetchAssets(with: nil)
        let observer = PrintingObserver(result)
        PHPhotoLibrary.shared().register(observer)
        say("ready", "\(result.count)")
        while readLine() != nil {}
        PHPhotoLibrary.shared().unregisterChangeObserver(observer)
    }
}

/// An error that ends the program.
struct ClientError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Prints a line per notification.
private final class PrintingObserver: NSObject, PHPhotoLibraryChangeObserver {
    // Used only on the library's queue.
    private var result: PHFetchResult<PHAsset>

    init(_ result: PHFetchResult<PHAsset>) {
        self.result = result
        super.init()
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        guard let details = changeInstance.changeDetails(for: result) else {
            ObservingClient.say("nothing")
            return
        }
        result = details.fetchResultAfterChanges
        ObservingClient.say(
            "changed",
            "\(details.removedIndexes?.count ?? -1)",
            "\(details.insertedIndexes?.count ?? -1)",
            "\(details.changedIndexes?.count ?? -1)"
        )
    }
}
