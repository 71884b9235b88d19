internal import CloudKeys
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary

extension StoreOpener {
    /// Runs `body` with the objects of a store whose marker is not known yet, from which it must
    /// only read.
    func reading<Result>(
        _ settings: StoreSettings,
        _ body: (CloudObjectReader) async throws(LibraryError) -> Result
    ) async throws(LibraryError) -> Result {
        let store = try open(settings, nil)
        do throws(LibraryError) {
            let result = try await body(CloudObjectReader(store))
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }
}

extension LibraryConfiguration {
    /// The key of the configuration in the store, by which the store is recognized.
    var key: ObjectKey? { ObjectKey(validating: Self.objectName(name)) }
}
