internal import CloudKeys
internal import CloudSync
internal import Foundation
internal import ObjectStorage
internal import PhotoModel

/// A request of the state machine, with everything that is needed to carry it out outside the
/// host's actor.
struct RequestWork: Sendable {
    let request: StoreRequest
    let store: any ObjectStore
    let identity: CloudIdentity
    /// The content and the record of the blob to download or to check.
    ///
    /// It is nil for other requests, and if the key of the blob is not known.
    let source: Source?
    let transfer: BlobTransfer

    /// The content of a blob and its record, which contains the key.
    struct Source: Sendable {
        let content: ContentID
        let record: BlobRecord
    }

    /// Indicates whether the request downloads a file.
    var isDownload: Bool { if case .get(.blob) = request { true } else { false } }

    /// The time limit of requests for small objects.
    private static let timeout = CloudObjectReader.timeout

    /// Carries out the request and returns its result.
    ///
    /// A failure is reported to the host and ends its session.
    func run(_ host: SyncHost) async -> StoreResult {
        do throws(LibraryError) {
            return try await result(host)
        } catch {
            await host.fail(error)
            return .failed
        }
    }

    private func result(_ host: SyncHost) async throws(LibraryError) -> StoreResult {
        switch request {
        case .put(let name, let body): return try await put(name, body, host)
        case .get(.blob(let blob)):
            guard let source else { return .missing }
            return try await transfer.download(blob, source.record, of: source.content)
        case .get(.snapshot(let id)):
            return try await found(host) { identity throws(CloudFailure) in
                .snapshot(try await SnapshotObject(id, store, identity.secrets.keyring).read())
            }
        case .get(let name):
            let bytes: [UInt8]
            do throws(ObjectStoreError) {
                bytes = try await store.bytes(
                    of: try ObjectKey(name.description),
                    limit: SegmentOpener.maximumSize,
                    timeout: Self.timeout
                )
            } catch  where error.code == .notFound {
                return .missing
            } catch {
                throw LibraryError(error)
            }
            return try await found(host) { identity throws(CloudFailure) in
                do throws(CloudKeyError) {
                    return .segment(try identity.opener.open(bytes, as: name))
                } catch {
                    throw .key(error)
                }
            }
        case .check(let blob):
            guard let source else { return .missing }
            return try await transfer.check(blob, source.record)
        case .delete(let name): return try await delete(name)
        case .listLogs:
            let names = try await list("log/")
            return await host.hasLosses(in: names) ? .failed : .listed(names)
        case .listLog(let device, let after):
            let last = LogPosition(sequence: after, hash: CloudID(.max, .max))
            let mark = after == 0 ? nil : ObjectName.segment(device, last).description
            return .listed(try await list("log/\(device.hexadecimal)/", after: mark))
        case .listSnapshots: return .listed(try await list("snap/"))
        case .listHeads: return .heads(try await heads())
        }
    }

    // MARK: - Writing

    private func put(
        _ name: ObjectName,
        _ body: CloudObjectBody,
        _ host: SyncHost
    ) async throws(LibraryError) -> StoreResult {
        switch body {
        case .segment(let sealed):
            let bytes = try keys { () throws(CloudKeyError) in try identity.sealer.seal(sealed) }
            try await CloudObjectReader(store).put(bytes, as: name.description)
        case .head(let sequence):
            // Other bytes than a number would tell no more: the store sees the names of the log.
            try await CloudObjectReader(store)
                .put(Array("\(sequence)".utf8), as: name.description, mode: .replace)
        case .blob(let content):
            guard case .blob(let blob) = name else { return .failed }
            let result = try await transfer.upload(content, as: blob)
            if case .damaged = result { await host.noteDamage(of: content) }
            return result
        case .snapshot(let snapshot):
            guard case .snapshot(let id) = name else { return .failed }
            try await SnapshotObject(id, store, identity.secrets.keyring).write(snapshot)
        }
        return .done
    }

    private func delete(_ name: ObjectName) async throws(LibraryError) -> StoreResult {
        if case .snapshot(let id) = name {
            try await SnapshotObject(id, store, identity.secrets.keyring).delete()
            return .done
        }
        _ = try await CloudObjectReader.request { () throws(ObjectStoreError) in
            try await store.delete(try ObjectKey(name.description), timeout: Self.timeout)
        }
        return .done
    }

    // MARK: - Reading

    /// Verifies and decrypts an object with the closure `open`.
    ///
    /// If its signer or epoch is unknown, the keys are read again and a second attempt is made.
    private func found(
        _ host: SyncHost,
        _ open: (CloudIdentity) async throws(CloudFailure) -> CloudObjectBody
    ) async throws(LibraryError) -> StoreResult {
        var identity = identity
        for attempt in 0..<2 {
            do throws(CloudFailure) {
                return .found(try await open(identity))
            } catch {
                switch error {
                case .missing: return .missing
                case .library(let error): throw error
                case .key(let error):
                    let isUnknown = [.unknownSigner, .unknownEpoch].contains(error.code)
                    guard isUnknown, attempt == 0 else {
                        await host.note([error.message])
                        return .damaged
                    }
                    await host.refreshOnce()
                    identity = await host.identity
                }
            }
        }
        return .damaged
    }

    private func list(
        _ prefix: String,
        after mark: String? = nil
    ) async throws(LibraryError) -> [ObjectName] {
        try await CloudObjectReader.request { () throws(ObjectStoreError) in
            var key: ObjectKey?
            if let mark { key = try ObjectKey(mark) }
            return try await store.list(
                try ObjectPrefix(prefix),
                after: key,
                timeout: Self.timeout
            )
        }.compactMap { ObjectName($0.key.text) }
    }

    /// Reads the sequence number of the last segment in each other device's log.
    ///
    /// They are only hints, so numbers that cannot be parsed are omitted.
    private func heads() async throws(LibraryError) -> [CloudID: UInt64] {
        var heads: [CloudID: UInt64] = [:]
        for case .head(let device) in try await list("head/")
        where device != identity.secrets.device {
            let bytes = try await CloudObjectReader(store).bytes(
                ObjectName.head(device).description
            )
            heads[device] = UInt64(String(decoding: bytes, as: UTF8.self))
        }
        return heads
    }
}

/// The reason why an object could not be opened.
enum CloudFailure: Error {
    case missing
    case key(CloudKeyError)
    case library(LibraryError)
}
