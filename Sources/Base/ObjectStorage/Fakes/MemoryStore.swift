internal import FoundationEssentials
internal import Synchronization

/// An in-memory store for tests, with faults and defects chosen by the test.
///
/// Without them, the store behaves as ``ObjectStore`` promises and throws the same errors. Several
/// clients can share the contents. Postponed changes take effect at ``settle()``.
package final class MemoryStore: ObjectStore {
    package let place = "memory"

    let contents: SharedContents
    let clock: StoreClock
    let defects: Set<StoreDefect>
    let client: Int
    private let capacity: Int64
    private let fault: @Sendable (FakeRequest) -> StoreFault?

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes at which it is full.
    ///   - clock: The clocks, for delays and time limits.
    ///   - defects: The promises that it breaks.
    ///   - fault: Chooses the fault of each request.
    package convenience init(
        capacity: Int64 = .max,
        clock: StoreClock = .system,
        defects: Set<StoreDefect> = [],
        fault: @escaping @Sendable (FakeRequest) -> StoreFault? = { _ in nil }
    ) {
        self.init(SharedContents(), capacity, clock, defects, fault)
    }

    private init(
        _ contents: SharedContents,
        _ capacity: Int64,
        _ clock: StoreClock,
        _ defects: Set<StoreDefect>,
        _ fault: @escaping @Sendable (FakeRequest) -> StoreFault?
    ) {
        self.contents = contents
        self.capacity = capacity
        self.clock = clock
        self.defects = defects
        self.fault = fault
        client = contents.withLock { contents in
            contents.clients += 1
            return contents.clients
        }
    }

    /// Returns another client that uses the same contents.
    package func secondClient() -> MemoryStore {
        MemoryStore(contents, capacity, clock, defects, fault)
    }

    /// Applies the postponed changes and makes all objects visible to all clients.
    package func settle() { contents.withLock { $0.settle() } }

    /// The number of requests that all clients have made so far.
    package var requestCount: Int { contents.withLock(\.requests) }

    package var multipart: (any MultipartUploading)? { self }

    package func put(
        _ key: ObjectKey,
        from source: ObjectSource,
        mode: PutMode,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        try await perform(.put, key, timeout: timeout) { [self] fault in
            let bytes = try received(source, key: key, fault: fault)
            try change(fault) { [client, defects, capacity] contents in
                var bytes = bytes
                if let old = contents.objects[key]?.bytes {
                    if mode == .create, old != bytes {
                        throw ObjectStoreError.alreadyExists(key, in: "memory")
                    }
                    if defects.contains(.mixesUploads) {
                        bytes = Array(old.prefix(bytes.count / 2) + bytes.dropFirst(old.count / 2))
                    }
                }
                guard contents.size + Int64(bytes.count) <= capacity else {
                    throw ObjectStoreError.fakeFull(key)
                }
                contents.write(key, bytes, by: client)
            }
            return StoreReceipt(serverDate: clock.date())
        }
    }

    package func get(
        _ key: ObjectKey,
        range: Range<Int64>?,
        limit: Int64,
        timeout: Duration,
        into receiver: @escaping ObjectReceiver
    ) async throws(ObjectStoreError) -> ObjectExtent {
        try await perform(.get, key, range: range, timeout: timeout) { [self] fault in
            guard var bytes = contents.withLock({ visible(key, $0, .staleReads) }) else {
                throw ObjectStoreError.notFound(key, in: place)
            }
            if case .altered(let position) = fault { bytes.alter(at: position) }
            let size = Int64(bytes.count)
            let range = try ObjectExtent.range(
                defects.contains(.ignoresRanges) ? nil : range,
                of: key,
                size: size,
                limit: limit
            )
            var end = range.upperBound
            if case .cut(let length) = fault { end = min(end, range.lowerBound + length) }
            // Two pieces, so that receivers cannot rely on one.
            var middle = range.lowerBound + (end - range.lowerBound) / 2
            if case .stalled(let length, _) = fault { middle = min(end, range.lowerBound + length) }
            for part in [range.lowerBound..<middle, middle..<end] where !part.isEmpty {
                do {
                    try await receiver(Array(bytes[Int(part.lowerBound)..<Int(part.upperBound)]))
                } catch  where !(error is CancellationError) {
                    throw ObjectStoreError.receiverFailed(key, cause: error)
                }
                if case .stalled(_, let gate) = fault, part.upperBound == middle {
                    await gate.pass()
                    try Task.checkCancellation()
                }
            }
            if end < range.upperBound { throw ObjectStoreError.fakeLoss("read \(key)") }
            return ObjectExtent(
                size: size,
                delivered: end - range.lowerBound,
                serverDate: clock.date()
            )
        }
    }

    package func page(
        of prefix: ObjectPrefix,
        after key: ObjectKey?,
        limit: Int,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectPage {
        try await perform(.list, nil, timeout: timeout) { [self] _ in
            let objects = contents.withLock { contents in
                contents.objects.keys.filter(prefix.contains).sorted().compactMap { name in
                    visible(name, contents, .staleListings)
                        .map { ListedObject(key: name, size: Int64($0.count)) }
                }
            }
            let mark = defects.contains(.ignoresStartAfter) ? nil : key
            let rest = objects.drop { object in mark.map { object.key <= $0 } ?? false }
            // Like a real service, it ends pages when it likes.
            let page = Array(rest.prefix(min(max(1, limit), 1000)))
            return ObjectPage(
                objects: page,
                isLast: page.count == rest.count,
                serverDate: clock.date()
            )
        }
    }

    package func delete(
        _ key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        try await perform(.delete, key, timeout: timeout) { [self] fault in
            try change(fault) { $0.objects[key] = nil }
            return StoreReceipt(serverDate: clock.date())
        }
    }

    package func unfinishedUploads(
        below prefix: ObjectPrefix,
        timeout: Duration
    ) async throws(ObjectStoreError) -> [UnfinishedUpload] {
        try await perform(.uploads, nil, timeout: timeout) { [self] _ in
            contents.withLock { contents in
                contents.uploads
                    .filter { prefix.contains($0.value.key) }
                    .map {
                        UnfinishedUpload(
                            identifier: $0.key,
                            key: $0.value.key,
                            started: $0.value.started
                        )
                    }
                    .sorted { $0.identifier < $1.identifier }
            }
        }
    }

    package func abort(
        _ upload: UnfinishedUpload,
        timeout: Duration
    ) async throws(ObjectStoreError) {
        try await perform(.abort, upload.key, timeout: timeout) { [self] fault in
            try change(fault) { [defects] contents in
                if defects.contains(.keepsAbortedUploads) { return }
                contents.uploads[upload.identifier] = nil
            }
        }
    }

    package func close() async {}

    /// Returns the bytes of an object; nil if this client does not see the object.
    private func visible(
        _ key: ObjectKey,
        _ contents: MemoryContents,
        _ defect: StoreDefect
    ) -> [UInt8]? {
        guard let object = contents.objects[key] else { return nil }
        if defects.contains(defect), object.writer != client, !object.isSettled { return nil }
        return object.bytes
    }
}

/// Contents that several clients share.
final class SharedContents: Sendable {
    private let storage = Mutex(MemoryContents())

    func withLock<Value: Sendable>(
        _ body: (inout MemoryContents) throws -> Value
    ) rethrows -> Value {
        try storage.withLock { try body(&$0) }
    }
}

extension [UInt8] {
    /// Changes one byte, as a defective disk would.
    fileprivate mutating func alter(at position: Int64) {
        guard let index = Int(exactly: position), indices.contains(index) else { return }
        self[index] ^= 1
    }
}

// MARK: - Faults

extension MemoryStore {
    /// Performs a request: counts it, chooses its fault, and simulates the time limit and common
    /// faults.
    func perform<Value: Sendable>(
        _ verb: FakeRequest.Verb,
        _ key: ObjectKey?,
        range: Range<Int64>? = nil,
        timeout: Duration,
        _ body: @escaping @Sendable (StoreFault?) async throws -> Value
    ) async throws(ObjectStoreError) -> Value {
        let number = contents.withLock { contents in
            contents.requests += 1
            return contents.requests - 1
        }
        let fault = fault(FakeRequest(verb: verb, key: key, range: range, number: number))
        let action = "\(verb) \(key?.text ?? "")"
        let isChange = ![.get, .list, .uploads].contains(verb)
        do {
            return try await CallDeadline(timeout, clock: clock).run(action) { [clock] in
                try Task.checkCancellation()
                switch fault {
                case .delay(let pause): try await clock.sleep(pause)
                case .held(let gate): await gate.pass()
                case .throttled(let pause): throw ObjectStoreError.fakeThrottling(pause)
                case .full: throw ObjectStoreError.fakeFull(key)
                case .serverFault: throw ObjectStoreError.fakeServerFault(action)
                case .foreignAnswer: throw ObjectStoreError.fakeForeignAnswer(action)
                case .accessDenied: throw ObjectStoreError.fakeDenial(action)
                case .lostRequest:
                    throw ObjectStoreError.fakeLoss(action).withUnknownOutcome(isChange)
                case .lostAnswer, .lateEffect, .doubled, .cut, .stalled, .altered, nil: break
                }
                let value = try await body(fault)
                if fault == .lostAnswer || fault == .lateEffect {
                    throw ObjectStoreError.fakeLoss(action).withUnknownOutcome(isChange)
                }
                return value
            }
        } catch let error as ObjectStoreError {
            throw error.withUnknownOutcome(isChange && error.code == .timedOut)
        } catch {
            throw ObjectStoreError.cancelled(action).withUnknownOutcome(isChange)
        }
    }

    /// Applies a change immediately, at `settle()`, or both, depending on the fault.
    func change(
        _ fault: StoreFault?,
        _ body: @escaping @Sendable (inout MemoryContents) throws -> Void
    ) throws {
        try contents.withLock { contents in
            if fault != .lateEffect { try body(&contents) }
            if fault == .lateEffect || fault == .doubled {
                // A late change that is refused has no effect.
                contents.late.append { try? body(&$0) }
            }
        }
    }

    /// Returns the bytes of an upload as the store receives them, after verifying their MD5.
    func received(
        _ source: ObjectSource,
        key: ObjectKey,
        fault: StoreFault?
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try source.forEachPiece(isAbandoned: { false }) { bytes += $0 }
        let sent = try source.expectedMD5 ?? MD5Digest(of: bytes)
        if case .altered(let position) = fault { bytes.alter(at: position) }
        if case .cut = fault { throw ObjectStoreError.fakeLoss("write \(key)") }
        if !defects.contains(.ignoresChecksums), try MD5Digest(of: bytes) != sent {
            throw ObjectStoreError.changedChecksum(key)
        }
        return bytes
    }
}
