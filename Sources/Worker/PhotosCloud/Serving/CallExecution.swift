internal import FoundationEssentials
internal import ObjectStorage
internal import StoreProtocol

/// Executes one call that the host sent.
struct CallExecution: Sendable {
    let store: any ObjectStore
    let pieces: PieceSender
    /// The file whose descriptor the host sent with the call; nil if there was none.
    let file: OpenFile?
    let timeout: Duration

    /// Executes the call.
    ///
    /// - Returns: The result, and the file whose descriptor is sent with it.
    /// - Throws: The error of the store.
    func run(
        _ call: StoreCall
    ) async throws(ObjectStoreError) -> (result: StoreResult, file: OpenFile?) {
        let heap = call.isLarge ? TransferHeap() : nil
        defer { withExtendedLifetime(heap) {} }
        let result: StoreResult
        switch call {
        case .put(let key, let bytes, let replaces):
            let mode: PutMode = replaces ? .replace : .create
            let receipt = try await store.put(
                key,
                from: source(bytes),
                mode: mode,
                timeout: timeout
            )
            result = .receipt(receipt.serverDate)
        case .get(let key, let start, let end, let limit):
            result = try await read(key, start, end, limit)
        case .open(let key, let limit):
            let opened = try await store.file(of: key, limit: limit, timeout: timeout)
            return (.opened(size: opened?.size), opened?.file)
        case .page(let prefix, let mark, let limit):
            result = try await page(prefix, mark, limit)
        case .delete(let key):
            result = .receipt(try await store.delete(key, timeout: timeout).serverDate)
        case .uploads(let prefix):
            result = try await uploads(prefix)
        case .abort(let upload):
            try await store.abort(upload.upload, timeout: timeout)
            result = .aborted
        case .begin(let key):
            let upload = try await multipart.beginUpload(of: key, timeout: timeout)
            result = .uploads([SentUpload(upload)])
        case .part(let number, let upload, let bytes):
            let tag = try await multipart.putPart(
                number,
                of: upload.upload,
                from: source(bytes),
                timeout: timeout
            )
            result = .tag(tag)
        case .complete(let upload, let parts):
            let receipt = try await multipart.complete(
                upload.upload,
                parts: parts,
                timeout: timeout
            )
            result = .receipt(receipt.serverDate)
        }
        return (result, nil)
    }

    private func read(
        _ key: ObjectKey,
        _ start: Int64?,
        _ end: Int64?,
        _ limit: Int64
    ) async throws(ObjectStoreError) -> StoreResult {
        var range: Range<Int64>?
        if let start, let end {
            guard start <= end else { throw Self.invalid }
            range = start..<end
        }
        let deadline = CallDeadline(timeout, clock: .system)
        let extent = try await store.get(key, range: range, limit: limit, timeout: timeout) {
            [pieces] bytes in
            try await pieces.take(bytes)
        }
        do {
            try await deadline.run("read \(key) in \(store.place)") { [pieces] in
                try await pieces.flush()
            }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .cancelled("read \(key)")
        }
        return .extent(size: extent.size, delivered: extent.delivered, extent.serverDate)
    }

    private func page(
        _ prefix: ObjectPrefix,
        _ mark: ObjectKey?,
        _ limit: Int
    ) async throws(ObjectStoreError) -> StoreResult {
        let page = try await store.page(
            of: prefix,
            after: mark,
            limit: min(limit, StoreLimits.keys),
            timeout: timeout
        )
        return .page(
            keys: page.objects.map(\.key.text).joined(separator: "\n"),
            sizes: page.objects.map(\.size),
            isLast: page.isLast,
            page.serverDate
        )
    }

    /// Returns the unfinished uploads below a prefix, up to the number that fits into a reply.
    ///
    /// A later request returns the rest, once the host has removed these.
    private func uploads(_ prefix: ObjectPrefix) async throws(ObjectStoreError) -> StoreResult {
        let uploads = try await store.unfinishedUploads(below: prefix, timeout: timeout)
        return .uploads(
            uploads.filter { $0.identifier.utf8.count <= StoreLimits.name }
                .prefix(StoreLimits.uploads).map { SentUpload($0) }
        )
    }

    private var multipart: any MultipartUploading {
        get throws(ObjectStoreError) {
            guard let multipart = store.multipart else {
                throw ObjectStoreError(
                    .unsupported,
                    "The store \(store.place) takes no uploads in parts.",
                    recovery: "Upload the object at once."
                )
            }
            return multipart
        }
    }

    private func source(_ sent: SentBytes) throws(ObjectStoreError) -> ObjectSource {
        var source: ObjectSource
        if let bytes = sent.bytes {
            source = ObjectSource(Array(bytes))
        } else {
            guard let file, sent.start >= 0, sent.start <= sent.end else { throw Self.invalid }
            source = try ObjectSource(
                descriptor: file.descriptor,
                range: sent.start..<sent.end
            )
        }
        if let md5 = sent.md5 {
            guard let digest = MD5Digest(bytes: Array(md5)) else { throw Self.invalid }
            source.expectedMD5 = digest
        }
        return source
    }

    private static var invalid: ObjectStoreError {
        ObjectStoreError(
            .invalidConfiguration,
            "A call has invalid values.",
            recovery: "Report the failure."
        )
    }
}

extension StoreCall {
    /// Indicates whether the call may transfer more bytes than a message can contain.
    fileprivate var isLarge: Bool {
        switch self {
        case .put(_, let bytes, _), .part(_, _, let bytes): bytes.bytes == nil
        case .get(_, _, _, let limit): limit > StoreLimits.piece
        case .open, .page, .delete, .uploads, .abort, .begin, .complete: false
        }
    }
}
