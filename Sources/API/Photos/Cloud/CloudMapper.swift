internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Maps between local and cloud identifiers in batches.
///
/// A batch of any size needs only a few calls. Each entry succeeds or fails on its own.
struct CloudMapper {
    private let service: any LibraryService
    /// The current and earlier UUIDs by which cloud identifiers refer to the library; empty for a
    /// client without permission.
    ///
    /// The first one is used in new identifiers.
    private let libraries: [String]

    init(_ connection: LibraryConnection) throws(LibraryError) {
        service = try connection.service()
        libraries = try service.assetDigests(AssetDigestsRequest(assetUUIDs: [])).libraries
    }

    // MARK: - From local

    func cloudNames(of identifiers: [String]) throws(LibraryError)
        -> [String: Result<CloudName, PHPhotosError>]
    {
        let known = identifiers.map { (text: $0, name: LocalIdentifier($0)) }
        let assets = known.compactMap { $0.name?.kind == .asset ? $0.name?.uuid : nil }
        let digests = try self.digests(of: assets, includesDeleted: false)
        let collections = try self.collections(
            known.compactMap(\.name).filter { $0.kind != .asset }
        )
        var names: [String: Result<CloudName, PHPhotosError>] = [:]
        for (text, name) in known {
            guard let name else {
                names[text] = .failure(
                    Self.notFound(text, "\(text) is not a local identifier.", text)
                )
                continue
            }
            let value =
                name.kind == .asset
                ? digests[name.uuid] : collections.contains(name) ? name.uuid : nil
            guard let value else {
                names[text] = .failure(
                    Self.notFound(text, "The library has no object \(text).", text)
                )
                continue
            }
            names[text] = .success(
                CloudName(library: libraries.first ?? "", kind: name.kind, value: value)
            )
        }
        return names
    }

    private func digests(of assets: [String], includesDeleted: Bool) throws(LibraryError)
        -> [String: String]
    {
        guard !assets.isEmpty else { return [:] }
        let reply = try service.assetDigests(
            AssetDigestsRequest(assetUUIDs: assets, includesDeleted: includesDeleted)
        )
        return Dictionary(
            zip(assets, reply.digests).compactMap { uuid, digest in digest.map { (uuid, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns which of the given albums and folders exist in the library.
    private func collections(_ names: [LocalIdentifier]) throws(LibraryError)
        -> Set<LocalIdentifier>
    {
        guard !names.isEmpty else { return [] }
        let request = CollectionFetchRequest(scope: .identifiers(names.map(\.description)))
        let ids = try service.fetchCollections(request).ids
        let records = try service.loadCollections(CollectionLoadRequest(ids: ids)).collections
        return Set(records.map { LocalIdentifier(uuid: $0.uuid, kind: $0.kind) })
    }

    // MARK: - From cloud

    /// Returns the local identifiers of the objects that cloud identifiers refer to.
    ///
    /// - Parameters:
    ///   - identifiers: The cloud identifiers to look up.
    ///   - isSynced: Whether to accept only identifiers of this library, and not those of assets
    ///     with the same bytes in another library.
    /// - Returns: An entry for each identifier.
    /// - Throws: The reason that the library cannot be read.
    func localIdentifiers(
        of identifiers: [PHCloudIdentifier],
        isSynced: Bool
    ) throws(LibraryError) -> [PHCloudIdentifier: Result<String, PHPhotosError>] {
        let known = identifiers.map { ($0, CloudName($0.stringValue)) }
        let eligible = known.compactMap(\.1).filter {
            libraries.contains($0.library) || ($0.kind == .asset && !isSynced)
        }
        let assets = try self.assets(Set(eligible.filter { $0.kind == .asset }.map(\.value)))
        let collections = try self.collections(
            eligible.filter { $0.kind != .asset }.map {
                LocalIdentifier(uuid: $0.value, kind: $0.kind)
            }
        )
        let mayLook = Set(eligible)
        var found: [PHCloudIdentifier: Result<String, PHPhotosError>] = [:]
        for (identifier, name) in known {
            found[identifier] = result(
                identifier.stringValue,
                name,
                mayLook: name.map(mayLook.contains) ?? false,
                assets,
                collections
            )
        }
        return found
    }

    private func result(
        _ text: String,
        _ name: CloudName?,
        mayLook: Bool,
        _ assets: [String: [ContentMatch]],
        _ collections: Set<LocalIdentifier>
    ) -> Result<String, PHPhotosError> {
        guard let name else {
            return .failure(
                Self.notFound(text, "\(text) is not a cloud identifier of a library.", nil)
            )
        }
        guard mayLook else {
            return .failure(
                Self.notFound(
                    text,
                    "It belongs to another library, \(name.library); this one is"
                        + " \(libraries.first ?? "hidden").",
                    nil
                )
            )
        }
        guard name.kind == .asset else {
            let local = LocalIdentifier(uuid: name.value, kind: name.kind)
            return collections.contains(local)
                ? .success(local.description)
                : .failure(Self.notFound(text, "The library has no object \(local).", nil))
        }
        let matches = assets[name.value] ?? []
        let visible = matches.filter { !$0.isTrashed }.map(\.localIdentifier)
        switch visible.count {
        case 1: return .success(visible[0])
        case 0:
            return .failure(
                Self.notFound(
                    text,
                    matches.isEmpty
                        ? "The library has no asset with this content."
                        : "The asset is in Recently Deleted.",
                    matches.first?.localIdentifier
                )
            )
        default:
            return .failure(Self.ambiguous(text, visible))
        }
    }

    /// Returns, for each SHA-256 digest, the assets whose original has that digest.
    private func assets(_ digests: Set<String>) throws(LibraryError) -> [String: [ContentMatch]] {
        guard !digests.isEmpty else { return [:] }
        let wanted = digests.sorted()
        let matches = try service.findContent(FindContentRequest(digests: wanted)).matches
        // An asset may contain the bytes as another file, such as the RAW file next to a JPEG.
        let candidates = matches.flatMap { $0 }.compactMap { LocalIdentifier($0.localIdentifier) }
        let originals = try self.digests(
            of: Set(candidates.map(\.uuid)).sorted(),
            includesDeleted: true
        )
        return Dictionary(
            zip(wanted, matches).map { digest, matches in
                (
                    digest,
                    matches.filter { match in
                        LocalIdentifier(match.localIdentifier).flatMap { originals[$0.uuid] }
                            == digest
                    }
                )
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    // MARK: - Errors

    private static func notFound(
        _ text: String,
        _ reason: String,
        _ local: String?
    ) -> PHPhotosError {
        PHPhotosError(
            LibraryError(
                .identifierNotFound,
                "There is no object for the identifier \(text).",
                reason: reason,
                recovery: "It is in another library, or was deleted.",
                identifiers: local.map { [$0] } ?? []
            )
        )
    }

    private static func ambiguous(_ text: String, _ candidates: [String]) -> PHPhotosError {
        PHPhotosError(
            .multipleIdentifiersFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "More than one asset has the content of the identifier \(text).",
                NSLocalizedFailureReasonErrorKey:
                    "\(candidates.count) assets have the same original.",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Choose one of those under PHLocalIdentifiersErrorKey, or delete the others.",
                PHLocalIdentifiersErrorKey: candidates,
            ]
        )
    }
}
