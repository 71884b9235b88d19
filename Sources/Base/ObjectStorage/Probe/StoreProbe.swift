/// Checks at setup whether a store has the properties that cloud sync relies on.
///
/// All objects are below `probe/<random>/` and are deleted at the end, also if the task is
/// canceled. The probe finds only violations that occur regularly, not a listing that is stale once
/// a day.
package struct StoreProbe: Sendable {
    private let first: any ObjectStore
    private let second: any ObjectStore
    private let folder: String
    private let timeout: Duration

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - first: The store.
    ///   - second: The same store over a connection of its own.
    ///   - identifier: A random part of keys, such as 32 hexadecimal digits.
    ///   - timeout: The time limit of each request.
    package init(
        _ first: any ObjectStore,
        second: any ObjectStore,
        identifier: String,
        timeout: Duration = .seconds(30)
    ) {
        self.first = first
        self.second = second
        folder = "probe/\(identifier)/"
        self.timeout = timeout
    }

    /// Runs all checks.
    ///
    /// - Throws: ``ObjectStoreError`` if the store cannot be reached or refuses access, so that
    ///   nothing is known about it.
    package func run() async throws(ObjectStoreError) -> ProbeResult {
        do throws(ObjectStoreError) {
            let result = try await findings()
            try await removeAll()
            return result
        } catch {
            // The first error is the one to report. In a canceled task, these requests would fail.
            let cleanup = Task {
                try await removeAll()
                try await abortUploads()
            }
            _ = await cleanup.result
            throw error
        }
    }

    private func findings() async throws(ObjectStoreError) -> ProbeResult {
        var result = ProbeResult()
        try await check(.writing, &result, writing)
        try await check(.reading, &result, reading)
        try await check(.listing, &result, listing)
        try await check(.checksum, &result, checksum)
        try await check(.range, &result, range)
        try await check(.startAfter, &result, startAfter)
        try await check(.concurrentWriting, &result, concurrentWriting)
        if let multipart = first.multipart {
            try await check(.multipartAbort, &result) { () throws(ObjectStoreError) in
                try await multipartAbort(multipart)
            }
        } else {
            result.inapplicable.insert(.multipartAbort)
        }
        result.serverDate = try await first.delete(key("end"), timeout: timeout).serverDate
        return result
    }

    /// Runs a check and records the reason if it fails.
    private func check(
        _ check: ProbeResult.Check,
        _ result: inout ProbeResult,
        _ body: () async throws(ObjectStoreError) -> String?
    ) async throws(ObjectStoreError) {
        do throws(ObjectStoreError) {
            result.failures[check] = try await body()
        } catch {
            switch error.code {
            // The store answered, but not as promised.
            case .notFound, .damaged, .unsupported, .rangeNotSatisfiable, .unexpectedAnswer,
                .tooLarge:
                result.failures[check] = error.message
            default: throw error
            }
        }
    }

    // MARK: - Checks

    private func writing() async throws(ObjectStoreError) -> String? {
        let bytes: [UInt8] = Array("written".utf8)
        try await put("written", bytes)
        guard try await get("written") == bytes else { return "An object has other bytes." }
        _ = try await first.delete(key("written"), timeout: timeout)
        _ = try await first.delete(key("written"), timeout: timeout)
        do {
            _ = try await get("written")
            return "A deleted object is still there."
        } catch  where error.code == .notFound {
            return nil
        }
    }

    private func reading() async throws(ObjectStoreError) -> String? {
        try await put("read", [1, 2, 3])
        let read = try await second.bytes(of: key("read"), limit: 100, timeout: timeout)
        return read == [1, 2, 3] ? nil : "A second connection reads other bytes."
    }

    private func listing() async throws(ObjectStoreError) -> String? {
        let name = try key("list/1")
        try await put("list/1", [1])
        let listed = try await second.list(prefix("list/"), limit: 100, timeout: timeout)
        return listed.map(\.key) == [name]
            ? nil : "A second connection does not list an object that was just written."
    }

    private func checksum() async throws(ObjectStoreError) -> String? {
        var source = ObjectSource(Array("right".utf8))
        source.expectedMD5 = try MD5Digest(of: Array("wrong".utf8))
        let name = try key("checksum")
        do throws(ObjectStoreError) {
            _ = try await first.put(name, from: source, mode: .create, timeout: timeout)
            return "The store accepts bytes with a wrong Content-MD5."
        } catch {
            guard error.code == .damaged else { throw error }
        }
        do throws(ObjectStoreError) {
            _ = try await get("checksum")
            return "The store keeps bytes that it refused."
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    private func range() async throws(ObjectStoreError) -> String? {
        try await put("range", Array(0..<100))
        let bytes = try await first.bytes(
            of: key("range"),
            range: 10..<20,
            limit: 100,
            timeout: timeout
        )
        return bytes == Array(10..<20) ? nil : "The store delivers another range than requested."
    }

    private func startAfter() async throws(ObjectStoreError) -> String? {
        for name in ["b", "a-1", "a/1", "a0"] { try await put("start/\(name)", [0]) }
        let listed = try await first.list(
            prefix("start/"),
            after: key("start/a-1"),
            limit: 100,
            timeout: timeout
        )
        let expected = ["a/1", "a0", "b"].map { "\(folder)start/\($0)" }
        return listed.map(\.key.text) == expected
            ? nil : "The store does not list what follows a key, sorted by bytes."
    }

    private func concurrentWriting() async throws(ObjectStoreError) -> String? {
        let versions: [[UInt8]] = [1, 2].map { Array(repeating: $0, count: 100_000) }
        async let one: Void = put("both", versions[0], mode: .replace)
        async let two: Void = put("both", versions[1], mode: .replace)
        do {
            _ = try await (one, two)
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .cancelled("write \(folder)both")
        }
        let read = try await get("both")
        return versions.contains(read) ? nil : "The store mixes two uploads."
    }

    private func multipartAbort(
        _ multipart: any MultipartUploading
    ) async throws(ObjectStoreError) -> String? {
        let name = try key("parts")
        let upload = try await multipart.beginUpload(of: name, timeout: timeout)
        _ = try await multipart.putPart(
            1,
            of: upload,
            from: ObjectSource([1, 2, 3]),
            timeout: timeout
        )
        try await first.abort(upload, timeout: timeout)
        let remaining = try await first.unfinishedUploads(below: prefix(""), timeout: timeout)
        guard !remaining.contains(where: { $0.identifier == upload.identifier }) else {
            return "The store keeps aborted uploads."
        }
        do throws(ObjectStoreError) {
            _ = try await get("parts")
            return "The store makes an object of an aborted upload."
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    // MARK: - Objects

    private func key(_ name: String) throws(ObjectStoreError) -> ObjectKey {
        try ObjectKey(folder + name)
    }

    private func prefix(_ name: String) throws(ObjectStoreError) -> ObjectPrefix {
        try ObjectPrefix(folder + name)
    }

    private func put(
        _ name: String,
        _ bytes: [UInt8],
        mode: PutMode = .create
    ) async throws(ObjectStoreError) {
        let source = ObjectSource(bytes)
        _ = try await first.put(key(name), from: source, mode: mode, timeout: timeout)
    }

    private func get(_ name: String) async throws(ObjectStoreError) -> [UInt8] {
        try await first.bytes(of: key(name), limit: 1 << 20, timeout: timeout)
    }

    /// Aborts the multipart upload that a check has left.
    private func abortUploads() async throws(ObjectStoreError) {
        guard first.multipart != nil else { return }
        let all = try prefix("")
        for upload in try await first.unfinishedUploads(below: all, timeout: timeout) {
            guard let key = upload.key, all.contains(key) else { continue }
            try await first.abort(upload, timeout: timeout)
        }
    }

    private func removeAll() async throws(ObjectStoreError) {
        for object in try await first.list(prefix(""), limit: 1000, timeout: timeout) {
            _ = try await first.delete(object.key, timeout: timeout)
        }
        // A stale listing does not show all of them.
        let names = ["read", "list/1", "checksum", "range", "both", "parts"]
        for name in names + ["b", "a-1", "a/1", "a0"].map({ "start/\($0)" }) {
            _ = try await first.delete(key(name), timeout: timeout)
        }
    }
}
