internal import Foundation
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// The assets that were asked for last, so that a picture of a list costs no look at the database.
///
/// Everything is forgotten when the library changes: whoever asks then asks the library.
final class AssetMemory: Sendable {
    /// An asset, and what the library knows of it besides.
    struct Known: Sendable {
        let asset: PHAsset
        let facts: AssetFacts
    }

    private static let limit = 4_096

    private let library: PhotoLibraryBundle
    private struct State {
        var known: [String: Known] = [:]
        /// That of the library when assets were looked for last.
        var version: Int64 = 0
    }

    private let state = Mutex(State())

    init(library: PhotoLibraryBundle) {
        self.library = library
    }

    func keep(_ asset: PHAsset, _ facts: AssetFacts) {
        state.withLock { state in
            if state.known.count >= Self.limit { state.known = [:] }
            state.known[asset.bareIdentifier] = Known(asset: asset, facts: facts)
        }
    }

    func forget() { state.withLock { $0.known = [:] } }

    /// The asset with a UUID, deleted ones too, if the view has it.
    func find(_ uuid: String) throws -> Known {
        // Observers hear of a change a little after it is there: what was hidden just now is gone now.
        let version = try library.version
        let remembered = state.withLock { state -> Known? in
            if state.version != version { (state.known, state.version) = ([:], version) }
            return state.known[uuid]
        }
        return try remembered ?? load(uuid)
    }

    /// The answer where a UUID is of no asset, or of none that the session may see.
    static func missing(_ uuid: String) -> RequestError {
        RequestError.notFound("There is no photo or movie \(uuid).")
    }

    private func load(_ uuid: String) throws -> Known {
        guard let asset = try Self.assets([uuid], in: library).first,
            let facts = try library.facts(for: [asset.localIdentifier]).first
        else { throw Self.missing(uuid) }
        keep(asset, facts)
        return Known(asset: asset, facts: facts)
    }

    /// The assets with some UUIDs, in their order, deleted ones too, and hidden ones where the view has them.
    ///
    /// - Throws: ``RequestError`` when one of them is not there.
    static func assets(_ uuids: [String], in library: PhotoLibraryBundle) throws -> [PHAsset] {
        let names = uuids.map { $0.uppercased() + "/L0/001" }
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
        return try names.map { name in
            guard let asset = found[name] else {
                throw Self.missing(String(name.prefix { $0 != "/" }))
            }
            return asset
        }
    }

    private static var everything: PHFetchOptions {
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        return options
    }
}
