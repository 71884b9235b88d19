internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import ObjectStorage
internal import Synchronization

/// The progress of a download, which lets a retry continue where the last attempt ended.
final class S3Download: Sendable {
    private struct Progress {
        /// The number of bytes that were passed to the receiver.
        var delivered: Int64 = 0
        /// The end offset of the requested bytes, as determined from the first answer.
        ///
        /// `size` and `tag` are the object's size and ETag, from the same answer.
        var end: Int64?
        var size: Int64 = 0
        var tag: String?
    }

    private let key: ObjectKey
    private let range: Range<Int64>?
    private let limit: Int64
    private let receiver: ObjectReceiver
    private let progress = Mutex(Progress())

    init(key: ObjectKey, range: Range<Int64>?, limit: Int64, receiver: @escaping ObjectReceiver) {
        self.key = key
        self.range = range
        self.limit = limit
        self.receiver = receiver
    }

    private var start: Int64 { range?.lowerBound ?? 0 }

    /// The value of the header `Range` for the next attempt; nil for the whole object.
    var nextRange: String? {
        let (delivered, end) = progress.withLock { ($0.delivered, $0.end) }
        guard range != nil || delivered > 0 else { return nil }
        let last = (end ?? range?.upperBound).map { String($0 - 1) } ?? ""
        return "bytes=\(start + delivered)-\(last)"
    }

    /// Passes the body of an answer to the receiver.
    ///
    /// - Throws: ``ObjectStoreError``: `unreachable` if the body is cut, which the next attempt
    ///   continues.
    func receive(_ answer: S3Answer, from place: String) async throws -> ObjectExtent {
        let expected = try check(answer, from: place)
        var received: Int64 = 0
        for try await piece in answer.pieces {
            received += Int64(piece.readableBytes)
            guard received <= expected else {
                throw invalid("More bytes arrived than were announced.", place)
            }
            do {
                try await receiver(Array(piece.readableBytesView))
            } catch  where !(error is CancellationError) {
                throw ObjectStoreError.receiverFailed(key, cause: error)
            }
            progress.withLock { $0.delivered += Int64(piece.readableBytes) }
        }
        guard received == expected else {
            throw ObjectStoreError(
                .unreachable,
                "The connection ended after \(received) of \(expected) bytes of \(key).",
                recovery: ObjectStoreError.tryAgain
            )
        }
        return progress.withLock { progress in
            ObjectExtent(
                size: progress.size,
                delivered: progress.delivered,
                serverDate: answer.date
            )
        }
    }

    /// Checks the status and headers of an answer and returns the size of its body.
    private func check(_ answer: S3Answer, from place: String) throws(ObjectStoreError) -> Int64 {
        guard let length = answer.contentLength else {
            throw invalid("The size of the body is missing.", place)
        }
        let delivered = progress.withLock { $0.delivered }
        var size = length
        if range == nil, delivered == 0 {
            guard answer.status == 200 else { throw invalid("It is a part.", place) }
        } else {
            guard answer.status == 206, let header = answer.header("content-range") else {
                throw ObjectStoreError(
                    .unsupported,
                    "The store \(place) ignores that only a part of \(key) was requested.",
                    recovery: "Use a provider that supports ranges."
                )
            }
            guard let part = ContentRange(header), part.range.lowerBound == start + delivered,
                part.range.upperBound - part.range.lowerBound == length
            else { throw invalid("It is another range.", place) }
            size = part.size
        }
        let end = min(range?.upperBound ?? size, size)
        guard start + delivered + length == end else {
            throw invalid("It is another range.", place)
        }
        guard end - start <= limit else {
            throw .tooLarge(key, size: end - start, limit: limit)
        }
        let tag = answer.header("etag")
        let isSame = progress.withLock { progress in
            guard progress.end == nil else { return progress.size == size && progress.tag == tag }
            (progress.end, progress.size, progress.tag) = (end, size, tag)
            return true
        }
        guard isSame else {
            throw ObjectStoreError(
                .damaged,
                "The object \(key) in \(place) changed while it was read.",
                recovery: "Read it again from its beginning."
            )
        }
        return length
    }

    private func invalid(_ reason: String, _ place: String) -> ObjectStoreError {
        .unexpectedAnswer("read \(key)", in: place, reason)
    }
}

/// The header `Content-Range`, such as `bytes 2-5/10`.
package struct ContentRange: Hashable {
    /// The range of the bytes in the answer.
    package let range: Range<Int64>
    /// The size of the whole object.
    package let size: Int64

    /// Parses the header; returns nil for malformed text and for ranges that exceed the object.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        let numbers = (ends + halves.dropFirst()).map { text -> Int64? in
            text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
        }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1],
            let size = numbers[2], first <= last, last < size
        else { return nil }
        range = first..<last + 1
        self.size = size
    }
}
