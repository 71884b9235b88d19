import Foundation
import PhotoModel

/// A library as plain values, for comparison with the store.
struct LibraryModel: Equatable {
    struct Asset: Equatable {
        var title: String?
        var date: Date?
        var isFavorite = false
        var isHidden = false
        var isTrashed = false

        var isVisible: Bool { !isHidden && !isTrashed }
    }

    struct Collection: Equatable {
        var kind: ObjectKind
        var title: String
        var parent: String
        /// The assets of an album, in order.
        var members: [String] = []
    }

    var assets: [String: Asset] = [:]
    var collections: [String: Collection] = [:]
    /// The children of each folder, in order; the root folder always has an entry.
    var children: [String: [String]] = [CollectionRecord.rootUUID: []]

    var albums: [String] { collections.filter { $1.kind == .album }.keys.sorted() }
    var folders: [String] { children.keys.sorted() }

    // MARK: - Changes

    mutating func insert(_ uuid: String, _ collection: Collection) {
        collections[uuid] = collection
        children[collection.parent, default: []].append(uuid)
        if collection.kind == .folder { children[uuid] = [] }
    }

    mutating func delete(collection uuid: String) {
        guard let collection = collections.removeValue(forKey: uuid) else { return }
        children[collection.parent]?.removeAll { $0 == uuid }
        children[uuid] = nil
    }

    /// Returns the descendants of a folder, the deepest first.
    func descendants(of folder: String) -> [String] {
        (children[folder] ?? []).flatMap { descendants(of: $0) + [$0] }
    }

    mutating func purge(_ uuid: String) {
        assets[uuid] = nil
        for album in albums { collections[album]?.members.removeAll { $0 == uuid } }
    }

    mutating func append(_ added: [String], to album: String) {
        let there = collections[album]?.members ?? []
        collections[album]?.members += added.filter { !there.contains($0) }
    }

    mutating func place(_ placed: [String], in album: String, after anchor: String?) {
        let members = collections[album]?.members ?? []
        collections[album]?.members = Self.placing(placed, in: members, after: anchor)
    }

    mutating func append(_ added: [String], toFolder folder: String) {
        for uuid in added where collections[uuid]?.parent != folder {
            children[collections[uuid]?.parent ?? ""]?.removeAll { $0 == uuid }
            children[folder]?.append(uuid)
            collections[uuid]?.parent = folder
        }
    }

    mutating func place(_ placed: [String], inFolder folder: String, after anchor: String?) {
        for uuid in placed where collections[uuid]?.parent != folder {
            children[collections[uuid]?.parent ?? ""]?.removeAll { $0 == uuid }
            collections[uuid]?.parent = folder
        }
        children[folder] = Self.placing(placed, in: children[folder] ?? [], after: anchor)
    }

    private static func placing(
        _ placed: [String],
        in list: [String],
        after anchor: String?
    ) -> [String] {
        var rest: [String] = []
        var index = 0
        for item in list {
            if !placed.contains(item) { rest.append(item) }
            if item == anchor { index = rest.count }
        }
        return Array(rest[..<index]) + placed + Array(rest[index...])
    }

    /// Returns the state after undoing the changes since an earlier state: that state, with the new
    /// assets in Recently Deleted.
    func undoing(to before: LibraryModel) -> LibraryModel {
        var undone = before
        for (uuid, asset) in assets where before.assets[uuid] == nil {
            undone.assets[uuid] = asset
            undone.assets[uuid]?.isTrashed = true
        }
        return undone
    }

    // MARK: - Totals

    struct Totals: Equatable {
        var count = 0
        var start: Date?
        var end: Date?
    }

    func totals(of album: String) -> Totals {
        let visible = (collections[album]?.members ?? []).compactMap { assets[$0] }
            .filter(\.isVisible)
        let dates = visible.compactMap(\.date)
        return Totals(count: visible.count, start: dates.min(), end: dates.max())
    }
}
