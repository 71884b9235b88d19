internal import FoundationEssentials
internal import ObjectStorage
internal import StoreProtocol

/// The result of a call, which is validated before use.
///
/// A result that does not fit the call is an error, and the process is ended.
struct Answered: Sendable {
    let result: StoreResult
    private let process: StoreProcess
    private let call: StoreCall

    init(process: StoreProcess, call: StoreCall, _ result: StoreResult) {
        self.process = process
        self.call = call
        self.result = result
    }

    /// Ends the process because of an invalid result, and returns the error for the call.
    ///
    /// The outcome of a call that changes the store is then unknown.
    func refused() -> ObjectStoreError {
        process.end(.confusedProcess)
        return .confusedProcess.withUnknownOutcome(call.isChange)
    }

    func receipt() throws(ObjectStoreError) -> StoreReceipt {
        guard case .receipt(let date) = result else { throw refused() }
        return StoreReceipt(serverDate: date.flatMap(StoreFailure.plausible))
    }

    /// Returns the size of an object and the number of its bytes that were delivered; throws an
    /// error if that number differs from `received` or exceeds the size.
    func extent(received: Int64) throws(ObjectStoreError) -> ObjectExtent {
        guard case .extent(let size, let delivered, let date) = result, delivered == received,
            size >= delivered
        else { throw refused() }
        return ObjectExtent(
            size: size,
            delivered: delivered,
            serverDate: date.flatMap(StoreFailure.plausible)
        )
    }

    /// Returns the file of an object and the object's size; nil if the store's objects are not in
    /// files on a local disk.
    ///
    /// - Parameters:
    ///   - file: The file that was sent with the result.
    ///   - limit: The maximum size of the object.
    /// - Returns: The file, which may be of any kind, and the size.
    /// - Throws: An error if there is a size without a file, a file without a size, or a size
    ///   beyond the limit.
    func opened(
        _ file: OpenFile?,
        limit: Int64
    ) throws(ObjectStoreError) -> (file: OpenFile, size: Int64)? {
        guard case .opened(let size) = result, (size == nil) == (file == nil) else {
            throw refused()
        }
        guard let size, let file else { return nil }
        guard size >= 0, size <= limit else { throw refused() }
        return (file, size)
    }

    func page(
        of prefix: ObjectPrefix,
        after mark: ObjectKey?,
        limit: Int
    ) throws(ObjectStoreError) -> ObjectPage {
        guard case .page(let keys, let sizes, let isLast, let date) = result,
            sizes.count <= limit, isLast || !sizes.isEmpty
        else { throw refused() }
        let names = keys.split(separator: "\n")
        guard names.count == sizes.count else { throw refused() }
        var objects: [ListedObject] = []
        var previous = mark
        for (name, size) in zip(names, sizes) {
            guard let key = ObjectKey(validating: String(name)), prefix.contains(key), size >= 0,
                previous.map({ $0 < key }) ?? true
            else { throw refused() }
            objects.append(ListedObject(key: key, size: size))
            previous = key
        }
        return ObjectPage(
            objects: objects,
            isLast: isLast,
            serverDate: date.flatMap(StoreFailure.plausible)
        )
    }

    func uploads(maximum: Int) throws(ObjectStoreError) -> [UnfinishedUpload] {
        guard case .uploads(let uploads) = result, uploads.count <= maximum,
            uploads.allSatisfy({ $0.identifier.utf8.count <= StoreLimits.name })
        else { throw refused() }
        return uploads.map { sent in
            var upload = sent.upload
            upload.started = upload.started.flatMap(StoreFailure.plausible)
            return upload
        }
    }
}
