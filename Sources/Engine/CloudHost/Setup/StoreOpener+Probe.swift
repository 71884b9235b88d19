internal import CloudSync
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary

extension StoreOpener {
    /// Checks whether a store has the properties that a cloud library relies on.
    ///
    /// - Parameters:
    ///   - store: A connection to the store; another one is opened beside it.
    ///   - settings: The place and the credentials of the store.
    ///   - marker: The object that the store must contain, or nil for a new cloud library.
    /// - Returns: The result, with a use other than none.
    /// - Throws: The error of the store, or `networkError` if it cannot hold a cloud library.
    func probe(
        _ store: any ObjectStore,
        _ settings: StoreSettings,
        marker: ObjectKey?
    ) async throws(LibraryError) -> ProbeResult {
        let second = try open(settings, marker)
        var generator = SystemRandomNumberGenerator()
        let probe = StoreProbe(
            store,
            second: second,
            identifier: CloudID(using: &generator).hexadecimal
        )
        let result: ProbeResult
        do throws(ObjectStoreError) {
            result = try await probe.run()
        } catch {
            await second.close()
            throw LibraryError(error)
        }
        await second.close()
        guard result.capability != .unusable else {
            throw LibraryError(
                .networkError,
                "The store at \(settings.address.text) cannot hold a cloud library.",
                reason: result.summary,
                recovery: "Use another store."
            )
        }
        return result
    }
}
