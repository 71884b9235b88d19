internal import CloudKeys
internal import CloudSync
internal import ObjectStorage
internal import PhotoModel

/// A reader and writer of the small objects of a cloud library: configurations, keys and
/// certificates.
struct CloudObjectReader: Sendable {
    let store: any ObjectStore

    static let timeout = Duration.seconds(60)
    /// The maximum size of an object in bytes.
    ///
    /// The modules that decode the objects have limits of their own.
    private static let maximumSize = 8 << 20

    init(_ store: any ObjectStore) { self.store = store }

    /// Performs a request to the store and converts its error to a library error.
    static func request<Result>(
        _ body: () async throws(ObjectStoreError) -> Result
    ) async throws(LibraryError) -> Result {
        do throws(ObjectStoreError) {
            return try await body()
        } catch {
            throw LibraryError(error)
        }
    }

    /// Returns the names of the objects in a folder, such as `keys`.
    func names(in folder: String) async throws(LibraryError) -> [CloudID] {
        try await Self.request { () throws(ObjectStoreError) in
            try await store.list(try ObjectPrefix(folder + "/"), timeout: Self.timeout)
        }.compactMap { CloudID(hexadecimal: $0.key.text.dropFirst(folder.count + 1)) }
    }

    /// Returns the names of the segments in all logs.
    func logs() async throws(LibraryError) -> [ObjectName] {
        try await Self.request { () throws(ObjectStoreError) in
            try await store.list(try ObjectPrefix("log/"), timeout: Self.timeout)
        }.compactMap { ObjectName($0.key.text) }
    }

    /// Reads a whole object.
    func bytes(_ name: String) async throws(LibraryError) -> [UInt8] {
        try await Self.request { () throws(ObjectStoreError) in
            try await store.bytes(
                of: try ObjectKey(name),
                limit: Self.maximumSize,
                timeout: Self.timeout
            )
        }
    }

    /// Returns whether the store contains an object, which must be small.
    func exists(_ name: String) async throws(LibraryError) -> Bool {
        do throws(ObjectStoreError) {
            _ = try await store.bytes(
                of: try ObjectKey(name),
                limit: Self.maximumSize,
                timeout: Self.timeout
            )
            return true
        } catch  where error.code == .notFound || error.code == .storeAbsent {
            return false
        } catch {
            throw LibraryError(error)
        }
    }

    /// Reads all configurations that can be decoded.
    ///
    /// If there are configurations and none can be decoded, one of the decoding errors is thrown.
    func configurations() async throws(LibraryError) -> [LibraryConfiguration] {
        var configurations: [LibraryConfiguration] = []
        var failure: CloudKeyError?
        for name in try await names(in: "config") {
            let bytes = try await self.bytes(LibraryConfiguration.objectName(name))
            do throws(CloudKeyError) {
                configurations.append(try LibraryConfiguration(decoding: bytes, named: name))
            } catch {
                failure = error
            }
        }
        if configurations.isEmpty, let failure { throw LibraryError(failure) }
        return configurations
    }

    /// Reads the key objects whose names are not in `known`, sorted by name.
    ///
    /// The result also contains the error messages for objects that could not be decoded.
    func keyObjects(
        except known: Set<CloudID>
    ) async throws(LibraryError) -> (objects: [KeyObject], problems: [String]) {
        var objects: [KeyObject] = []
        var problems: [String] = []
        for name in try await names(in: "keys") where !known.contains(name) {
            let bytes: [UInt8]
            do throws(ObjectStoreError) {
                bytes = try await store.bytes(
                    of: try ObjectKey(KeyObject.objectName(name)),
                    limit: Self.maximumSize,
                    timeout: Self.timeout
                )
            } catch  where error.code == .notFound {
                // Removed since it was listed, by the device that stored a newer one.
                continue
            } catch {
                throw LibraryError(error)
            }
            do throws(CloudKeyError) {
                objects.append(try KeyObject(decoding: bytes, named: name))
            } catch {
                problems.append(error.message)
            }
        }
        return (objects, problems)
    }

    /// Reads the encrypted certificates of the devices that are not in `known`.
    func certificates(
        except known: Set<CloudID>
    ) async throws(LibraryError) -> [(device: CloudID, bytes: [UInt8])] {
        var certificates: [(device: CloudID, bytes: [UInt8])] = []
        for device in try await names(in: "member") where !known.contains(device) {
            certificates.append(
                (device, try await bytes(DeviceCertificate.objectName(device)))
            )
        }
        return certificates
    }

    /// Writes a small object to the store.
    func put(
        _ bytes: [UInt8],
        as name: String,
        mode: PutMode = .create
    ) async throws(LibraryError) {
        _ = try await Self.request { () throws(ObjectStoreError) in
            try await store.put(
                try ObjectKey(name),
                from: ObjectSource(bytes),
                mode: mode,
                timeout: Self.timeout
            )
        }
    }
}
