internal import Foundation
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// A cache of recently used assets, so that an image in a list needs no database query.
///
/// 1. Any change of the library clears the cache.
/// 2. An asset and its facts are cached only if the library had the cache's version before they
///    were loaded. They are therefore at least as new as the version that they are cached for, and
///    a hidden asset is not found in a view without hidden assets.
final class AssetMemory: Sendable {
    /// An asset and the additional facts that the library stores about it.
    struct Known: Sendable {
        let asset: PHAsset
        let facts: AssetFacts
    }

    private static let limit = 4_096
    /// The time after which the library is asked again whether it is part of a cloud library.
    private static let cloudPause = Duration.seconds(30)

    private let library: PhotoLibraryBundle
    private struct State {
        var known: [String: Known] = [:]
        /// The version of the library to which the cached assets belong.
        var version: Int64 = 0
        /// The time at which a query last showed that the library is not part of a cloud library.
        ///
        /// It is nil before the first query, and if the library is part of a cloud library.
        var withoutCloud: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    init(library: PhotoLibraryBundle) {
        self.library = library
    }

    /// Caches assets with their facts, unless the library has changed since they were loaded.
    ///
    /// - Parameters:
    ///   - found: Assets and facts that were loaded after `version` was read.
    ///   - version: The version of the library before they were loaded.
    func keep(_ found: [Known], loadedAt version: Int64) {
        state.withLock { state in
            // Another request has noticed a change, so these assets may be older.
            guard state.version <= version else { return }
            if state.version < version { (state.known, state.version) = ([:], version) }
            for known in found {
                if state.known.count >= Self.limit { state.known = [:] }
                state.known[known.asset.bareIdentifier] = known
            }
        }
    }

    /// Returns the facts of assets in a list by local identifier, and caches the assets.
    ///
    /// The assets are loaded again, because those of a list may be older than the library. Assets
    /// that no longer exist, or that the view does not include, are left out.
    func facts(of listed: [PHAsset]) throws -> [String: AssetFacts] {
        let names = listed.map(\.localIdentifier)
        let version = try library.version
        var facts: [String: AssetFacts] = [:]
        for fact in try library.facts(for: names) { facts[fact.localIdentifier] = fact }
        let found = try Self.present(names, in: library)
        keep(
            found.compactMap { name, asset in
                facts[name].map { Known(asset: asset, facts: $0) }
            },
            loadedAt: version
        )
        return facts
    }

    /// Returns for each asset whether its files are on this computer or in the cloud.
    ///
    /// The result is empty for a library that is not part of a cloud library.
    func places(of identifiers: [String]) throws -> [String: CloudPlace] {
        let start = ContinuousClock.now - Self.cloudPause
        if let known = state.withLock(\.withoutCloud), known > start { return [:] }
        let places = try library.cloudPlaces(of: identifiers)
        state.withLock { $0.withoutCloud = places == nil ? .now : nil }
        return places ?? [:]
    }

    func forget() { state.withLock { $0.known = [:] } }

    /// Returns the asset with a UUID from the cache or, if it is not cached, from this view of the
    /// library.
    ///
    /// Assets in Recently Deleted are included; hidden photos only if the view includes them.
    func find(_ uuid: String) throws -> Known { try cached(uuid) ?? load(uuid) }

    /// Returns an asset from the cache; nil if it is not cached, or was cached before the library's
    /// last change.
    ///
    /// Takes some microseconds, so that it can be called on any thread.
    func cached(_ uuid: String) throws -> Known? {
        // Observers are notified shortly after a change. Comparing versions ensures that an asset
        // that was just hidden is no longer found.
        let version = try library.version
        return state.withLock { state -> Known? in
            if state.version != version { (state.known, state.version) = ([:], version) }
            return state.known[uuid]
        }
    }

    /// Returns the error for a UUID that belongs to no asset, or to one that the session may not
    /// see.
    static func missing(_ uuid: String) -> RequestError {
        RequestError.notFound("The library has no photo or video \(uuid).")
    }

    private func load(_ uuid: String) throws -> Known {
        let version = try library.version
        guard let asset = try Self.assets([uuid], in: library).first,
            let facts = try library.facts(for: [asset.localIdentifier]).first
        else { throw Self.missing(uuid) }
        let known = Known(asset: asset, facts: facts)
        keep([known], loadedAt: version)
        return known
    }

    /// Fetches assets by UUID in the given order.
    ///
    /// Deleted assets are included and, if the view has them, hidden ones.
    ///
    /// - Throws: ``RequestError`` when one of them does not exist.
    static func assets(_ uuids: [String], in library: PhotoLibraryBundle) throws -> [PHAsset] {
        let names = uuids.map { $0.uppercased() + "/L0/001" }
        let found = try present(names, in: library)
        return try names.map { name in
            guard let asset = found[name] else {
                throw Self.missing(String(name.prefix { $0 != "/" }))
            }
            return asset
        }
    }

    /// Fetches those of the given assets that the view includes, by local identifier.
    private static func present(
        _ names: [String],
        in library: PhotoLibraryBundle
    ) throws -> [String: PHAsset] {
        var found: [String: PHAsset] = [:]
        let present = library.using {
            PHAsset.fetchAssets(withLocalIdentifiers: names, options: Self.everything)
        }
        for asset in present.all { found[asset.localIdentifier] = asset }
        let absent = names.filter { found[$0] == nil }
        if !absent.isEmpty {
            let options = Self.everything
            options.predicate = NSPredicate(format: "localIdentifier IN %@", absent)
            for asset in try library.recentlyDeletedAssets(with: options).all {
                found[asset.localIdentifier] = asset
            }
        }
        return found
    }

    private static var everything: PHFetchOptions {
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        return options
    }
}
