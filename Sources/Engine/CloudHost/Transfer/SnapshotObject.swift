internal import CloudKeys
internal import CloudSync
internal import ObjectStorage
internal import PhotoModel

/// The group of store objects that make up a snapshot.
///
///     snap/<id>/0 ‖ snap/<id>/1 ‖ … ‖ snap/<id>/manifest ("spn1" ‖ number of chunks)
///
/// The manifest is written last and deleted first, so a snapshot that is listed is whole.
struct SnapshotObject: Sendable {
    private static let chunkSize = 16 << 20
    private static let magic = Array("spn1".utf8)
    /// The maximum number of chunks of a snapshot, enough for more than ten million photos.
    private static let maximumCount = 4_096

    private let id: CloudID
    private let store: any ObjectStore
    private let keyring: EpochKeyring

    init(_ id: CloudID, _ store: any ObjectStore, _ keyring: EpochKeyring) {
        self.id = id
        self.store = store
        self.keyring = keyring
    }

    func write(_ snapshot: CloudSnapshot) async throws(LibraryError) {
        let encoded = snapshot.encoded
        let starts = Array(stride(from: 0, to: max(1, encoded.count), by: Self.chunkSize))
        for (index, start) in starts.enumerated() {
            let chunk = Array(encoded[start..<min(start + Self.chunkSize, encoded.count)])
            try await put(chunk, as: name("\(index)"))
        }
        var writer = SegmentWriter()
        writer.append(UInt32(clamping: starts.count))
        try await put(Self.magic + writer.bytes, as: name("manifest"))
    }

    func read() async throws(CloudFailure) -> CloudSnapshot {
        let manifest = try await get(name("manifest"))
        guard manifest.starts(with: Self.magic), manifest.count == Self.magic.count + 4 else {
            throw .key(Self.damaged(name("manifest"), "It has another format."))
        }
        let count = manifest.dropFirst(Self.magic.count).reduce(0) { $0 << 8 | Int($1) }
        guard 1...Self.maximumCount ~= count else {
            throw .key(Self.damaged(name("manifest"), "It names \(count) chunks."))
        }
        var bytes: [UInt8] = []
        for index in 0..<count { bytes += try await get(name("\(index)")) }
        do throws(CloudFormatError) {
            return try CloudSnapshot(decoding: bytes)
        } catch {
            throw .key(Self.damaged(name("manifest"), "\(error.reason)."))
        }
    }

    func delete() async throws(LibraryError) {
        try await CloudObjectReader.request { () throws(ObjectStoreError) in
            let timeout = CloudObjectReader.timeout
            _ = try await store.delete(try ObjectKey(name("manifest")), timeout: timeout)
            let prefix = try ObjectPrefix("snap/\(id.hexadecimal)/")
            for object in try await store.list(prefix, timeout: timeout) {
                _ = try await store.delete(object.key, timeout: timeout)
            }
        }
    }

    private func put(_ content: [UInt8], as name: String) async throws(LibraryError) {
        let sealed = try keys { () throws(CloudKeyError) in
            try SealedObject.seal(
                content,
                named: name,
                purpose: .snapshot,
                epoch: keyring.current
            )
        }
        try await CloudObjectReader(store).put(sealed, as: name)
    }

    private func get(_ name: String) async throws(CloudFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(ObjectStoreError) {
            bytes = try await store.bytes(
                of: try ObjectKey(name),
                limit: SealedObject.maximumSize,
                timeout: CloudObjectReader.timeout * 5
            )
        } catch  where error.code == .notFound {
            throw .missing
        } catch {
            throw .library(LibraryError(error))
        }
        do throws(CloudKeyError) {
            return try SealedObject.open(bytes, named: name, purpose: .snapshot, keys: keyring)
                .content
        } catch {
            throw .key(error)
        }
    }

    private func name(_ part: String) -> String { "snap/\(id.hexadecimal)/\(part)" }

    private static func damaged(_ object: String, _ reason: String) -> CloudKeyError {
        CloudKeyError(
            .damaged,
            "The object \(object) is not the one that was written.",
            reason: reason,
            recovery: "Another snapshot or the logs are read instead."
        )
    }
}
