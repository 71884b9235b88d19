internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A file, or a range of its bytes.
enum FileAnswer {
    /// Answers with a file that is open already.
    ///
    /// The file is open already, since nothing is opened by a name that a request gives; the request's
    /// range is answered, where it has one. The answer breaks off once `isAllowed` is false.
    static func response(
        _ file: OpenFile,
        headers: HTTPFields,
        for request: Request,
        while isAllowed: @escaping @Sendable () -> Bool
    ) -> Response {
        var headers = headers
        headers[.acceptRanges] = "bytes"
        if let tag = headers[.eTag], request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: headers)
        }
        switch ByteRange.parse(request.headers[.range], of: file.size) {
        case .whole:
            return Response(
                status: .ok,
                headers: headers,
                body: body(file, 0..<file.size, while: isAllowed)
            )
        case .part(let range):
            headers[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            return Response(
                status: .partialContent,
                headers: headers,
                body: body(file, range, while: isAllowed)
            )
        case .none:
            headers[.contentRange] = "bytes */\(file.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    private static func body(
        _ file: OpenFile,
        _ range: Range<Int64>,
        while isAllowed: @escaping @Sendable () -> Bool
    ) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var position = range.lowerBound
            while position < range.upperBound {
                guard isAllowed() else { throw RequestError(.noSession, "The session has ended.") }
                let (start, end) = (position, min(range.upperBound, position + OpenFile.portion))
                let bytes = try await Blocking.run { try file.read(start..<end) }
                try await writer.write(ByteBuffer(bytes: bytes))
                position = end
            }
            try await writer.finish(nil)
        }
    }
}

/// The part of a file that a request wants.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    /// None of the bytes that there are.
    case none

    /// Reads a Range header; several ranges, and other units, are answered with the whole.
    static func parse(_ header: String?, of size: Int64) -> ByteRange {
        guard let header, header.hasPrefix("bytes="), !header.contains(",") else { return .whole }
        let ends = header.dropFirst(6).split(
            separator: "-",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard ends.count == 2 else { return .whole }
        if ends[0].isEmpty {
            guard let count = Int64(ends[1]), count >= 0 else { return .whole }
            return count == 0 || size == 0 ? .none : .part(max(0, size - count)..<size)
        }
        guard let start = Int64(ends[0]), start >= 0 else { return .whole }
        guard start < size else { return .none }
        if ends[1].isEmpty { return .part(start..<size) }
        guard let last = Int64(ends[1]), last >= start else { return .whole }
        return .part(start..<min(size, last == .max ? size : last + 1))
    }
}

/// A file that stays open as long as it is used.
final class OpenFile: Sendable {
    /// Bytes that are read at once.
    static let portion: Int64 = 1 << 18

    let size: Int64
    private let number: Int32

    /// Opens a file that can be read from any place.
    init(path: String) throws {
        number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { throw RequestError.notFound("The file is not there.") }
        let end = lseek(number, 0, SEEK_END)
        // The end of a folder is beyond all files.
        guard end >= 0, end < off_t.max else {
            close(number)
            throw RequestError.notFound("The file is not there.")
        }
        size = Int64(end)
    }

    deinit { close(number) }

    /// The bytes of a range.
    func read(_ range: Range<Int64>) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: Int(range.count)) { buffer, count in
            while count < buffer.count {
                let read = pread(
                    number,
                    buffer.baseAddress.map { $0 + count },
                    buffer.count - count,
                    off_t(range.lowerBound) + off_t(count)
                )
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { throw RequestError(.failed, "The file could not be read.") }
                count += read
            }
        }
    }
}
