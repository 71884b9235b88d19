internal import PhotoModel

extension PHPhotoLibrary {
    /// The cloud identifiers of objects of this library.
    ///
    /// Meant for many at once: a batch costs little more than one.
    ///
    /// - Parameter localIdentifiers: Of assets, albums and folders.
    /// - Returns: An entry for each: its cloud identifier, or a ``PHPhotosError`` with code
    ///   `identifierNotFound` when there is no such object, or with the reason why the library cannot
    ///   be read.
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

    /// The local identifiers of objects with cloud identifiers.
    ///
    /// An asset is also found by the identifier that it has in another library, when its original has
    /// the same bytes.
    ///
    /// - Parameter cloudIdentifiers: Of any library.
    /// - Returns: An entry for each: its local identifier, or a ``PHPhotosError`` with code
    ///   `identifierNotFound`, or `multipleIdentifiersFound` with the candidates under
    ///   ``PHLocalIdentifiersErrorKey``.
    public func localIdentifierMappings(
        for cloudIdentifiers: [PHCloudIdentifier]
    ) -> [PHCloudIdentifier: Result<String, any Error>] {
        mappings(of: cloudIdentifiers, isSynced: false)
    }

    /// The local identifiers of objects with cloud identifiers of this very library.
    ///
    /// - Parameter cloudIdentifiers: Those of other libraries are not found, whatever bytes they
    ///   stand for.
    /// - Returns: An entry for each, as ``localIdentifierMappings(for:)`` gives it.
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

    /// The same failure for each.
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
