extension MemoryStore: MultipartUploading {
    package func beginUpload(
        of key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> UnfinishedUpload {
        try await perform(.begin, key, timeout: timeout) { [self] _ in
            let date = clock.date()
            let identifier = contents.withLock { contents in
                contents.uploadCount += 1
                let identifier = "upload-\(contents.uploadCount)"
                contents.uploads[identifier] = .init(key: key, started: date)
                return identifier
            }
            return UnfinishedUpload(identifier: identifier, key: key, started: date)
        }
    }

    package func putPart(
        _ number: Int,
        of upload: UnfinishedUpload,
        from source: ObjectSource,
        timeout: Duration
    ) async throws(ObjectStoreError) -> String {
        try await perform(.part, upload.key, timeout: timeout) { [self] fault in
            let bytes = try received(source, key: upload.uploadedKey, fault: fault)
            let digest = try MD5Digest(of: bytes)
            try change(fault) { contents in
                guard contents.uploads[upload.identifier] != nil else {
                    throw ObjectStoreError.noUpload(try upload.uploadedKey)
                }
                contents.uploads[upload.identifier]?.parts[number] = bytes
            }
            return TextEncoding.hexadecimal(digest.bytes)
        }
    }

    package func complete(
        _ upload: UnfinishedUpload,
        parts: [String],
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        try await perform(.complete, upload.key, timeout: timeout) { [self] fault in
            try change(fault) { [client] contents in
                guard let stored = contents.uploads[upload.identifier] else {
                    throw ObjectStoreError.noUpload(try upload.uploadedKey)
                }
                var bytes: [UInt8] = []
                for (index, tag) in parts.enumerated() {
                    guard let part = stored.parts[index + 1],
                        try TextEncoding.hexadecimal(MD5Digest(of: part).bytes) == tag
                    else { throw ObjectStoreError.changedChecksum(stored.key) }
                    bytes += part
                }
                contents.uploads[upload.identifier] = nil
                contents.write(stored.key, bytes, by: client)
            }
            return StoreReceipt(serverDate: clock.date())
        }
    }
}

extension UnfinishedUpload {
    /// The key of the upload; throws an error if the store does not know the key.
    package var uploadedKey: ObjectKey {
        get throws(ObjectStoreError) {
            guard let key else { throw .invalidName(identifier) }
            return key
        }
    }
}

extension ObjectStoreError {
    static func noUpload(_ key: ObjectKey) -> ObjectStoreError {
        ObjectStoreError(
            .notFound,
            "The upload of \(key) does not exist any more.",
            reason: "It was aborted or finished.",
            recovery: "Upload the object again."
        )
    }

    static func fakeLoss(_ action: String) -> ObjectStoreError {
        ObjectStoreError(
            .unreachable,
            "The connection ended before the answer to \(action).",
            recovery: tryAgain
        )
    }

    static func fakeThrottling(_ pause: Duration?) -> ObjectStoreError {
        var error = ObjectStoreError(
            .throttled,
            "The store asks for fewer requests.",
            recovery: tryAgain
        )
        error.retryAfter = pause
        return error
    }

    static func fakeFull(_ key: ObjectKey?) -> ObjectStoreError {
        ObjectStoreError(
            .full,
            "The store is full, so \(key?.text ?? "the object") was not written.",
            recovery: "Delete what is not needed, or get more space."
        )
    }

    static func fakeServerFault(_ action: String) -> ObjectStoreError {
        ObjectStoreError(
            .serverFault,
            "The store failed to \(action).",
            recovery: tryAgain
        )
    }

    static func fakeForeignAnswer(_ action: String) -> ObjectStoreError {
        unexpectedAnswer(action, in: "the store", "It is a page for people.")
    }

    static func fakeDenial(_ action: String) -> ObjectStoreError {
        ObjectStoreError(
            .accessDenied,
            "The credentials do not permit to \(action).",
            recovery: "Use credentials that may read, write, list and delete."
        )
    }
}
