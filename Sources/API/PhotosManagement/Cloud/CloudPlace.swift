internal import LibraryService
internal import PhotoModel

/// The storage location of an asset's files in a library that is part of a cloud library.
public enum CloudPlace: String, Hashable, Sendable, CaseIterable {
    /// All files are on this computer.
    case here
    /// The original is on this computer, and at least one other file is only in the cloud.
    case partial
    /// The original is only in the cloud.
    case away
}

extension PhotoLibraryBundle {
    /// Returns the storage location of each asset's files.
    ///
    /// - Parameter identifiers: Local identifiers. Unknown ones are skipped.
    /// - Returns: The places by local identifier; nil for a library that is not part of a cloud
    ///   library.
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func cloudPlaces(of identifiers: [String]) throws -> [String: CloudPlace]? {
        let assets = identifiers.compactMap { text -> (text: String, uuid: String)? in
            guard let name = LocalIdentifier(text), name.kind == .asset else { return nil }
            return (text, name.uuid)
        }
        let reply = try edge { () throws(LibraryError) in
            try service.cloudStates(CloudStatesRequest(assetUUIDs: assets.map(\.uuid)))
        }
        guard reply.isCloudLibrary else { return nil }
        var places: [String: CloudPlace] = [:]
        for (asset, state) in zip(assets, reply.states) {
            places[asset.text] = state.map { CloudPlace($0) }
        }
        return places
    }
}

extension CloudPlace {
    fileprivate init(_ state: CloudState) {
        self =
            switch state {
            case .here: .here
            case .partial: .partial
            case .away: .away
            }
    }
}
