internal import Foundation
internal import Glibc
package import ObjectStorage
internal import StoreProtocol
internal import Synchronization
internal import WorkerClient

extension ProcessStore {
    package func put(
        _ key: ObjectKey,
        from source: ObjectSource,
        mode: PutMode,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        let (bytes, file) = try sent(source)
        let call = StoreCall.put(key, bytes, replaces: mode == .replace)
        return try await ask("write \(key)", call, file: file, timeout: timeout).receipt()
    }

    package func delete(
        _ key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        try await ask("delete \(key)", .delete(key), timeout: timeout).receipt()
    }

    package func get(
        _ key: ObjectKey,
        range: Range<Int64>?,
        limit: Int64,
        timeout: Duration,
        into receiver: @escaping ObjectReceiver
    ) async throws(ObjectStoreError) -> ObjectExtent {
        if let range, range.isEmpty || range.lowerBound < 0 {
            throw .rangeNotSatisfiable(key, range)
        }
        let call = StoreCall.get(
            key,
            start: range?.lowerBound,
            end: range?.upperBound,
            limit: limit
        )
        return try await perform("read \(key)", isChange: false, timeout: timeout) {
            process,
            deadline,
            sending in
            let pending = try process.begin(
                call,
                milliseconds: deadline.remaining.milliseconds
            )
            do {
                let result = try await process.receive(pending, of: key, into: receiver)
                let answered = Answered(process: process, call: call, result)
                return try answered.extent(received: pending.received)
            } catch {
                process.abandon(pending)
                throw error
            }
        }
    }

    package func file(
        of key: ObjectKey,
        limit: Int64,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectFile? {
        guard mayHaveFiles.load(ordering: .relaxed) else { return nil }
        let call = StoreCall.open(key, limit: limit)
        let file = try await perform("read \(key)", isChange: false, timeout: timeout) {
            [place] process, deadline, _ -> ObjectFile? in
            let pending = try process.begin(
                call,
                milliseconds: deadline.remaining.milliseconds
            )
            do {
                let result = try await pending.answer.value()
                let answered = Answered(process: process, call: call, result)
                return try answered.opened(pending.takeFile(), limit: limit).map {
                    ObjectFile($0.file, size: $0.size, of: key, in: place)
                }
            } catch let error as CancellationError {
                process.abandon(pending)
                throw error
            }
        }
        // All objects are on one file system, so it is not asked again.
        if file == nil { mayHaveFiles.store(false, ordering: .relaxed) }
        return file
    }

    package func page(
        of prefix: ObjectPrefix,
        after key: ObjectKey?,
        limit: Int,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectPage {
        let limit = min(max(1, limit), StoreLimits.keys)
        let call = StoreCall.page(prefix, after: key, limit: limit)
        return try await ask("list \(prefix)", call, timeout: timeout)
            .page(of: prefix, after: key, limit: limit)
    }

    package func unfinishedUploads(
        below prefix: ObjectPrefix,
        timeout: Duration
    ) async throws(ObjectStoreError) -> [UnfinishedUpload] {
        try await ask("list unfinished uploads", .uploads(prefix), timeout: timeout)
            .uploads(maximum: StoreLimits.uploads)
    }

    package func abort(
        _ upload: UnfinishedUpload,
        timeout: Duration
    ) async throws(ObjectStoreError) {
        let call = StoreCall.abort(SentUpload(upload))
        let answered = try await ask("abort an upload", call, timeout: timeout)
        guard case .aborted = answered.result else { throw answered.refused() }
    }
}

extension ProcessStore: MultipartUploading {
    package func beginUpload(
        of key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> UnfinishedUpload {
        let answered = try await ask("begin to write \(key)", .begin(key), timeout: timeout)
        let uploads = try answered.uploads(maximum: 1)
        guard let upload = uploads.first, upload.key == key else { throw answered.refused() }
        return upload
    }

    package func putPart(
        _ number: Int,
        of upload: UnfinishedUpload,
        from source: ObjectSource,
        timeout: Duration
    ) async throws(ObjectStoreError) -> String {
        let (bytes, file) = try sent(source)
        let call = StoreCall.part(number, SentUpload(upload), bytes)
        let answered = try await ask("write a part", call, file: file, timeout: timeout)
        guard case .tag(let tag) = answered.result, tag.utf8.count <= StoreLimits.name else {
            throw answered.refused()
        }
        return tag
    }

    package func complete(
        _ upload: UnfinishedUpload,
        parts: [String],
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        let call = StoreCall.complete(SentUpload(upload), parts: parts)
        return try await ask("finish an upload", call, timeout: timeout).receipt()
    }
}

// MARK: - Contents

extension ProcessStore {
    /// Converts a source to the form in which it is sent: bytes, or a read-only descriptor.
    private func sent(
        _ source: ObjectSource
    ) throws(ObjectStoreError) -> (bytes: SentBytes, file: OpenFile?) {
        let md5 = source.expectedMD5.map { Data($0.bytes) }
        let file = try source.withFile {
            (descriptor, range) throws(ObjectStoreError) -> (SentBytes, OpenFile?) in
            let bytes = SentBytes(
                bytes: nil,
                start: range.lowerBound,
                end: range.upperBound,
                md5: md5
            )
            return (bytes, try readOnly(descriptor))
        }
        if let file { return file }
        let bytes = try source.read(at: 0, count: Int(source.size))
        guard bytes.count > StoreLimits.inline else {
            return (SentBytes(bytes: Data(bytes), md5: md5), nil)
        }
        let memory = SealedMemory.make(length: bytes.count) { target in
            target.copyBytes(from: bytes)
            return true
        }
        guard let memory else { throw .unreadableSource(String(cString: strerror(errno))) }
        return (
            SentBytes(bytes: nil, start: 0, end: source.size, md5: md5), OpenFile(owning: memory)
        )
    }

    private func readOnly(_ descriptor: Int32) throws(ObjectStoreError) -> OpenFile {
        do throws(SystemFailure) {
            if fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY {
                return try OpenFile.duplicate(descriptor)
            }
            guard let file = ReadOnlyDescriptor(descriptor) else { throw .last("open") }
            return try OpenFile.duplicate(file.number)
        } catch {
            throw .unreadableSource(error.reason)
        }
    }
}
