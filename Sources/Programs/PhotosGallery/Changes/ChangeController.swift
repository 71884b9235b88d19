internal import Foundation
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// Performs library changes that browsers request.
///
/// Each change is atomic, and can be undone unless it is a permanent deletion.
struct ChangeController {
    let view: GalleryView
    let duplicates: DuplicatesJob
    let command: ChangeCommand
    private let made = Made()

    /// The result of a change.
    struct Outcome {
        /// The identifier of the created collection; nil if none was created.
        var created: String?
        /// The number of affected assets or collections.
        var count = 0
        /// The library version, as text, that identifies the change in an undo request; nil if the
        /// change cannot be undone.
        var undo: String?
        /// The library version that the change created; nil if nothing was changed.
        var version: Int64?
    }

    /// A reference type that stores the library version of the controller's last commit.
    private final class Made {
        var version: Int64?
    }

    var library: PhotoLibraryBundle { view.library }

    /// Performs a change while holding the lock that excludes other changes, and waits until the
    /// change is durable.
    func perform(_ work: () throws -> Outcome) throws -> Outcome {
        try ChangeRoutes.lock.withLock { _ in
            var outcome = try work()
            outcome.version = made.version
            if command.action != "purge" { outcome.undo = made.version.map { String($0) } }
            return outcome
        }
    }

    /// Performs the action that the command names.
    func make() throws -> Outcome {
        switch command.action {
        case "favorite": return try set { $0.isFavorite = try flag($0) }
        case "hide": return try set { $0.isHidden = try flag($0) }
        case "burstPick": return try set { $0.isBurstPick = try flag($0) }
        case "date": return try DateController(controller: self).set()
        case "shiftDate": return try DateController(controller: self).shift()
        case "location", "title", "caption", "keywords", "rating": return try setProperty()
        case "delete": return try change { PHAssetChangeRequest.deleteAssets($0) }
        case "restore": return try change { PHAssetChangeRequest.restoreAssets($0) }
        case "purge":
            guard command.confirm == true else {
                throw RequestError.badRequest("Permanent deletion requires confirm: true.")
            }
            return try change { PHAssetChangeRequest.purgeAssets($0) }
        case "burstKeep": return try keepFrames()
        case "keepDuplicate": return try keepDuplicate()
        default: return try CollectionController(controller: self).make()
        }
    }

    // MARK: - Assets

    /// Returns the assets that the change applies to.
    ///
    /// - Throws: ``RequestError`` when the view does not contain one of them.
    func assets() throws -> [PHAsset] {
        let found: [PHAsset]
        if let selection = try command.selection() {
            let (_, state) = try view.lists.state(selection.snapshot)
            let all = 0..<state.result.count
            var indexes = IndexSet()
            for range in selection.ranges { indexes.insert(integersIn: range.clamped(to: all)) }
            found = indexes.map { state.result.object(at: $0) }.filter {
                !$0.localIdentifier.isEmpty
            }
        } else {
            guard let ids = command.ids else {
                throw RequestError.badRequest("The action \(command.action) requires ids.")
            }
            var seen: Set<String> = []
            let unique = ids.map { $0.uppercased() }.filter { seen.insert($0).inserted }
            found = try AssetMemory.assets(unique, in: library)
        }
        return found
    }

    /// Runs a change block and waits until the change is durable.
    func commit(_ block: @escaping () -> Void) throws {
        made.version = try library.commitChanges(block)
    }

    private func change(_ body: @escaping ([PHAsset]) -> Void) throws -> Outcome {
        let assets = try assets()
        if !assets.isEmpty { try commit { body(assets) } }
        return Outcome(count: assets.count)
    }

    private func set(_ body: @escaping (PHAssetChangeRequest) throws -> Void) throws -> Outcome {
        _ = try flag(nil)
        return try change { assets in
            for asset in assets { try? body(PHAssetChangeRequest(for: asset)) }
        }
    }

    private func flag(_ request: PHAssetChangeRequest?) throws -> Bool {
        guard case .flag(let flag)? = command.value else {
            throw RequestError.badRequest(
                "The action \(command.action) requires true or false as its value."
            )
        }
        return flag
    }

    // MARK: - Properties

    private func setProperty() throws -> Outcome {
        let set = try property()
        return try change { assets in
            for asset in assets { set(PHAssetChangeRequest(for: asset)) }
        }
    }

    /// Returns a closure that sets the command's property on an asset; throws an error if the value
    /// is invalid.
    private func property() throws -> (PHAssetChangeRequest) -> Void {
        switch (command.action, command.value) {
        case ("location", .place(let latitude, let longitude, let altitude)?):
            guard (-90...90).contains(latitude), (-180...180).contains(longitude),
                altitude?.isFinite ?? true
            else { throw bad("a latitude from -90 to 90 and a longitude from -180 to 180") }
            let place = CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
                altitude: altitude ?? 0,
                horizontalAccuracy: 0,
                verticalAccuracy: altitude == nil ? -1 : 1,
                timestamp: Date()
            )
            return { $0.location = place }
        case ("location", ChangeCommand.Value.none?): return { $0.location = nil }
        case ("title", .text(let text)?):
            try checkText(text)
            return { $0.title = text.isEmpty ? nil : text }
        case ("title", ChangeCommand.Value.none?): return { $0.title = nil }
        case ("caption", .text(let text)?):
            try checkText(text)
            return { $0.caption = text.isEmpty ? nil : text }
        case ("caption", ChangeCommand.Value.none?): return { $0.caption = nil }
        case ("rating", .number(let number)?):
            if number == -1 { return { $0.isRejected = true } }
            guard let rating = Int(exactly: number).flatMap(PHAsset.Rating.init(rawValue:)) else {
                throw bad("a number from -1 to 5")
            }
            return { $0.rating = rating }
        case ("rating", ChangeCommand.Value.none?): return { $0.rating = .unset }
        case ("keywords", .texts(let words)?): return try keywords(words)
        default: throw bad("another value")
        }
    }

    /// Returns a closure that replaces the keywords of an asset with `words`; throws an error if a
    /// word is invalid.
    private func keywords(_ words: [String]) throws -> (PHAssetChangeRequest) -> Void {
        for word in words { try checkText(word) }
        var present: Set<String> = []
        for asset in try assets() { present.formUnion(asset.extendedMetadata.keywords) }
        let surplus = present.subtracting(words)
        return { request in
            for word in surplus { request.removeKeyword(word) }
            for word in words where !word.isEmpty { request.addKeyword(word) }
        }
    }

    func bad(_ wanted: String) -> RequestError {
        .badRequest("The action \(command.action) requires \(wanted) as its value.")
    }

    func checkText(_ text: String) throws {
        guard text.utf8.count <= 10_000, !text.unicodeScalars.contains("\0") else {
            throw RequestError(.tooLarge, "A text can have at most 10,000 bytes.")
        }
    }

    // MARK: - Bursts and duplicates

    /// Keeps the frames of a burst that the command selects, and moves the burst's other frames to
    /// Recently Deleted.
    private func keepFrames() throws -> Outcome {
        let burst = try command.need(command.burst, "burst")
        let kept = Set(try assets().map(\.localIdentifier))
        let frames = library.using {
            let options = PHFetchOptions()
            options.includeAllBurstAssets = true
            options.includeHiddenAssets = true
            return PHAsset.fetchAssets(withBurstIdentifier: burst, options: options).all
        }
        guard frames.contains(where: { kept.contains($0.localIdentifier) }) else {
            throw RequestError.badRequest("None of the photos to keep is in the burst.")
        }
        let others = frames.filter { !kept.contains($0.localIdentifier) }
        if !others.isEmpty { try commit { PHAssetChangeRequest.deleteAssets(others) } }
        return Outcome(count: others.count)
    }

    /// Merges duplicates into the photo that is to be kept.
    ///
    /// - Throws: ``RequestError`` with `refused` when the photos are not in one group of the last
    ///   search.
    private func keepDuplicate() throws -> Outcome {
        let name = try command.need(command.id, "id").uppercased()
        let names = [name] + (command.remove ?? []).map { $0.uppercased() }.filter { $0 != name }
        let photos = try AssetMemory.assets(names, in: library)
        guard let group = DuplicatePhotos(photos) else {
            throw RequestError.badRequest("The action keepDuplicate requires remove.")
        }
        guard try duplicates.areTogether(photos) else {
            throw RequestError(
                .refused,
                "These photos are not duplicates of each other.",
                reason: "No group of the last search contains all of them.",
                recovery: "Search for duplicates again."
            )
        }
        made.version = try library.merge([group])
        return Outcome(count: photos.count - 1)
    }
}
