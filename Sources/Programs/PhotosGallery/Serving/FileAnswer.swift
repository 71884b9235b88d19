internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Creates responses with a file or a range of its bytes.
enum FileAnswer {
    /// Responds with a file, or with the range that the request specifies.
    ///
    /// The file must already be open, since no file is opened by a name from a request. The
    /// response is aborted once `isAllowed` returns false. A range of another version of the file
    /// (`If-Range`) is a request for the whole file.
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
        switch ByteRange.parse(range(of: request, tag: headers[.eTag]), of: file.size) {
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

    /// Returns the Range header of a request; nil if it is for a file with another entity tag.
    ///
    /// A weak tag or a date does not identify the bytes.
    private static func range(of request: Request, tag: String?) -> String? {
        if let known = request.headers[.ifRange], known != tag || known.hasPrefix("W/") {
            return nil
        }
        return request.headers[.range]
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

/// The part of a file that a request specifies in its Range header.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    /// The range is outside the file.
    case none

    /// Parses a Range header.
    ///
    /// Several ranges, and units other than bytes, are treated as a request for the whole file.
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

/// A file that is open for reading until this object is destroyed.
final class OpenFile: Sendable {
    /// The maximum number of bytes per read.
    static let portion: Int64 = 1 << 18

    let size: Int64
    private let number: Int32

    /// Opens a file for reading at any position.
    init(path: String) throws {
        number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { throw RequestError.notFound("The file does not exist.") }
        let end = lseek(number, 0, SEEK_END)
        // For a folder, the offset of the end exceeds any file size.
        guard end >= 0, end < off_t.max else {
            close(number)
            throw RequestError.notFound("The file does not exist.")
        }
        size = Int64(end)
    }

    deinit { close(number) }

    /// Reads a range of bytes.
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
