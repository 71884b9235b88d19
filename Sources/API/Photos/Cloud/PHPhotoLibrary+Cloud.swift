internal import PhotoModel

extension PHPhotoLibrary {
    /// Returns the cloud identifiers of objects in this library.
    ///
    /// It is intended for many objects at once, because a batch costs little more than a single
    /// object.
    ///
    /// - Parameter localIdentifiers: The local identifiers of assets, albums and folders.
    /// - Returns: An entry for each: its cloud identifier, or a ``PHPhotosError`` with code
    ///   `identifierNotFound` if the object does not exist, or with the reason that the library
    ///   cannot be read.
    public func cloudIdentifierMappings(
        forLocalIdentifiers localIdentifiers: [String]
    ) -> [String: Result<PHCloudIdentifier, any Error>] {
        do throws(LibraryError) {
            return try CloudMapper(connection).cloudNames(of: localIdentifiers).mapValues { name in
                name.map { PHCloudIdentifier(stringValue: $0.text) }.mapError { $0 }
            }
        } catch {
            return failures(localIdentifiers, error)
        }
    }

    /// Maps cloud identifiers of any library to the local identifiers of objects in this library.
    ///
    /// The cloud identifiers may come from any library: an asset is also found by its identifier
    /// from another library, if its original has the same bytes.
    ///
    /// - Parameter cloudIdentifiers: Cloud identifiers of any library.
    /// - Returns: An entry for each: its local identifier, or a ``PHPhotosError`` with code
    ///   `identifierNotFound`, or `multipleIdentifiersFound` with the candidates under
    ///   ``PHLocalIdentifiersErrorKey``.
    public func localIdentifierMappings(
        for cloudIdentifiers: [PHCloudIdentifier]
    ) -> [PHCloudIdentifier: Result<String, any Error>] {
        mappings(of: cloudIdentifiers, isSynced: false)
    }

    /// Maps cloud identifiers of this library to the local identifiers of their objects.
    ///
    /// - Parameter cloudIdentifiers: Cloud identifiers of this library. Those of other libraries
    ///   are not found, even for assets with the same bytes.
    /// - Returns: An entry for each, as in ``localIdentifierMappings(for:)``.
    public func localIdentifierMappings(
        forSynced cloudIdentifiers: [PHCloudIdentifier]
    ) -> [PHCloudIdentifier: Result<String, any Error>] {
        mappings(of: cloudIdentifiers, isSynced: true)
    }

    private func mappings(
        of identifiers: [PHCloudIdentifier],
        isSynced: Bool
    ) -> [PHCloudIdentifier: Result<String, any Error>] {
        do throws(LibraryError) {
            return try CloudMapper(connection)
                .localIdentifiers(of: identifiers, isSynced: isSynced)
                .mapValues { local in local.mapError { $0 } }
        } catch {
            return failures(identifiers, error)
        }
    }

    /// Returns a dictionary with the same failure for each key.
    private func failures<Key: Hashable, Value>(
        _ keys: [Key],
        _ error: LibraryError
    ) -> [Key: Result<Value, any Error>] {
        let failure = PHPhotosError(error)
        return Dictionary(
            keys.map { ($0, .failure(failure)) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
