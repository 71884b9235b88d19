import Foundation
import Photos
import PhotosManagement

/// An ordinary program that uses Photos, for tests of permissions.
///
///     access-client status                  prints its three statuses
///     access-client request LEVEL           requests access, and prints the answer
///     access-client pick                    shows the picker, and prints the added assets
///     access-client survey TOKEN [FORMAT…]  prints what each API shows it
///     access-client token                   prints the current change token, archived, or none
///     access-client find FORMAT             fetches with a predicate, prints the count or error
///     access-client create FILE             creates an asset from a file
///     access-client add FOLDER              creates an asset from each file, in one change
///     access-client change WHAT ID          attempts a change: favorite, hide, delete, album
///     access-client files ID NETWORK DIR    requests the files of an asset, with the network
///                                           `allowed` or `forbidden`
///     access-client watch                   prints what it sees, again after each notification,
///                                           until it is terminated
@main
enum AccessClient {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("status", 1): status()
        case ("request", 2):
            let level: PHAccessLevel = words[1] == "add-only" ? .addOnly : .readWrite
            say("answer", "\(await PHPhotoLibrary.requestAuthorization(for: level))")
            status()
        case ("pick", 1):
            let added = await PHPhotoLibrary.shared().presentLimitedLibraryPicker()
            say(["added"] + added.sorted())
        case ("survey", 2...): Survey(token: words[1], formats: Array(words[2...])).run()
        case ("token", 1): token()
        case ("find", 2): find(words[1])
        case ("create", 2): create(words[1])
        case ("add", 2): add(words[1])
        case ("change", 3): change(words[1], words[2])
        case ("files", 4): await files(words[1], words[2], words[3])
        case ("watch", 1): watch()
        default: say("unknown")
        }
    }

    /// Writes a line immediately.
    static func say(_ words: String...) { say(words) }

    static func say(_ words: [String]) {
        let line = Array((words.joined(separator: " ") + "\n").utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }

    private static func status() {
        say(
            "status",
            "\(PHPhotoLibrary.authorizationStatus(for: .readWrite))",
            "\(PHPhotoLibrary.authorizationStatus(for: .addOnly))",
            "\(PHPhotoLibrary.authorizationStatus())"
        )
    }

    private static func token() {
        let token = PHPhotoLibrary.shared().currentChangeToken
        if token == PHPersistentChangeToken() { return say("token", "none") }
        let data = try? NSKeyedArchiver.archivedData(
            withRootObject: token,
            requiringSecureCoding: true
        )
        say("token", data?.base64EncodedString() ?? "")
    }

    private static func find(_ format: String) {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: format)
        let start = ContinuousClock.now
        say("found", "\(PHAsset.fetchAssets(with: options).count)")
        let end = ContinuousClock.now
        say("seconds", "\((end - start) / .seconds(1))")
        do {
            _ = try PHPhotoLibrary.shared().fetchAssets(with: options)
            say("thrown", "nothing")
        } catch {
            say("thrown", "\(error.localizedDescription)")
        }
    }

    private static func files(_ identifier: String, _ network: String, _ folder: String) async {
        let found = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil)
        guard let asset = found.firstObject else { return say("found", "0") }
        await FileRun(
            asset,
            isAllowed: network == "allowed",
            output: URL(fileURLWithPath: folder)
        ).run()
    }

    // MARK: - Changing

    private static func create(_ path: String) {
        var identifier: String?
        attempt {
            let file = URL(fileURLWithPath: path)
            let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
            identifier = request?.placeholderForCreatedAsset?.localIdentifier
        }
        if let identifier { say("asset", identifier) }
    }

    private static func add(_ folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        say("files", "\(names.count)")
        attempt {
            for name in names.sorted() {
                let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
                PHAssetCreationRequest.forAsset()
                    .addResource(with: .photo, fileURL: file, options: nil)
            }
        }
    }

    private static func change(_ what: String, _ identifier: String) {
        switch what {
        case "album":
            attempt {
                _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                    withTitle: "Mine"
                )
            }
        case "delete":
            let assets = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil)
            say("found", "\(assets.count)")
            attempt { PHAssetChangeRequest.deleteAssets(assets) }
        case "hide":
            // The asset is retained while it is hidden and shown again.
            let assets = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil)
            say("found", "\(assets.count)")
            guard let asset = assets.firstObject else { return }
            attempt { PHAssetChangeRequest(for: asset).isHidden = true }
            attempt { PHAssetChangeRequest(for: asset).isHidden = false }
        default:
            let assets = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil)
            say("found", "\(assets.count)")
            guard let asset = assets.firstObject else { return }
            attempt { PHAssetChangeRequest(for: asset).isFavorite = true }
        }
    }

    private static func attempt(_ block: @escaping () -> Void) {
        do {
            try PHPhotoLibrary.shared().performChangesAndWait(block)
            say("done")
        } catch {
            let failure = error as? PHPhotosError
            say("failed", "\(failure?.errorCode ?? 0)", "\(error)")
        }
    }

    // MARK: - Watching

    private static func watch() {
        let observer = SeeingObserver(PHAsset.fetchAssets(with: nil))
        PHPhotoLibrary.shared().register(observer)
        observer.report("sees")
        withExtendedLifetime(observer) {
            while true { pause() }
        }
    }
}

/// Prints what is visible, and what is available of an asset that was visible before.
private final class SeeingObserver: NSObject, PHPhotoLibraryChangeObserver {
    // Used only before the first notification and on the library's queue.
    private var result: PHFetchResult<PHAsset>
    private var known: PHAsset?

    init(_ result: PHFetchResult<PHAsset>) {
        self.result = result
        known = result.firstObject
        super.init()
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        guard let details = changeInstance.changeDetails(for: result) else { return }
        result = details.fetchResultAfterChanges
        known = known ?? result.firstObject
        report("told")
    }

    func report(_ word: String) {
        let files = known.map { PHAssetResource.assetResources(for: $0).count } ?? 0
        AccessClient.say(word, "\(result.count)", "\(files)", "\(Survey.bytes(of: known))")
    }
}
