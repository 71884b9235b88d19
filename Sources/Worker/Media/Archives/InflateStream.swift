internal import CZlib
internal import FoundationEssentials
internal import WorkerProtocol

/// Decompresses a deflate stream or a gzip file, from its beginning or from a recorded position.
///
/// Not thread-safe.
final class InflateStream {
    /// The framing of the compressed bytes.
    enum Framing {
        /// A raw deflate stream that ends at the offset `end` at the latest.
        case raw(end: Int64)
        /// gzip members, each with a header and a checksum, up to the end of the file.
        case gzip
    }

    /// The minimum number of decompressed bytes between two recorded positions.
    private static let spacing: Int64 = 1 << 20
    private static let inputLength = 256 << 10

    private let file: ArchiveFile
    private let framing: Framing
    /// The state of zlib, which must stay at the same address; owned by this object.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableRawBufferPointer
    /// The file offset of the first byte after the bytes in `input`.
    private var inputEnd: Int64
    private var isAtHeader: Bool
    private var isAtEnd = false
    private(set) var output: Int64
    private(set) var crc: UInt32
    private var memberOutput: Int64
    /// The last recorded position, from which another stream can continue decompressing.
    private(set) var position: InflatePosition

    init(_ file: ArchiveFile, framing: Framing, from position: InflatePosition)
        throws(ArchiveProblem)
    {
        guard position.input >= 0, position.input <= file.size, (0...7).contains(position.bits),
            position.output >= 0, position.window.count <= 32_768, position.memberOutput >= 0
        else { throw .damaged }
        self.file = file
        self.framing = framing
        self.position = position
        output = position.output
        crc = position.crc
        memberOutput = position.memberOutput
        inputEnd = position.input
        isAtHeader = position.isAtHeader
        input = .allocate(byteCount: Self.inputLength, alignment: 16)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else {
            throw ArchiveProblem("There is not enough memory to decompress the archive.")
        }
        if position.bits > 0 {
            let byte = try file.bytes(at: position.input - 1, length: 1)[0]
            let bits = Int32(position.bits)
            guard inflatePrime(stream, bits, Int32(byte >> (8 - UInt8(position.bits)))) == Z_OK
            else { throw .damaged }
        }
        if !position.window.isEmpty {
            let code = Array(position.window).withUnsafeBufferPointer {
                inflateSetDictionary(stream, $0.baseAddress, uInt($0.count))
            }
            guard code == Z_OK else { throw .damaged }
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Decompresses the next bytes into a buffer; returns their number, which is 0 only at the end
    /// of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveProblem) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        while !isAtEnd {
            if isAtHeader { try readHeader() }
            if isAtEnd { break }
            if stream.pointee.avail_in == 0 { try fill() }
            let room = min(buffer.count, 1 << 30)
            let target = start.assumingMemoryBound(to: UInt8.self)
            stream.pointee.next_out = target
            stream.pointee.avail_out = uInt(room)
            let inputBefore = stream.pointee.avail_in
            let code = inflate(stream, Z_BLOCK)
            let count = room - Int(stream.pointee.avail_out)
            if count > 0 {
                crc = UInt32(truncatingIfNeeded: crc32(uLong(crc), target, uInt(count)))
                output += Int64(count)
                memberOutput += Int64(count)
            }
            switch code {
            case Z_STREAM_END: try finishMember()
            case Z_OK: recordPosition()
            case Z_BUF_ERROR where inputBefore == 0: throw .truncated
            case Z_BUF_ERROR: break
            default: throw .damaged
            }
            if count > 0 { return count }
        }
        return 0
    }

    /// Decompresses and discards bytes up to an offset in the decompressed data.
    func skip(to target: Int64) throws(ArchiveProblem) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while output < target {
            let room = Int(min(Int64(buffer.count), target - output))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
            guard try read(into: part) > 0 else { throw .truncated }
        }
    }

    /// The number of decompressed bytes in the finished members of a gzip file, whose checksums
    /// are right.
    var verified: Int64 { output - memberOutput }

    /// The offset in the file of the first compressed byte that is not decompressed yet.
    var consumed: Int64 { inputEnd - Int64(stream.pointee.avail_in) }

    // MARK: - Input

    private func fill() throws(ArchiveProblem) {
        let end: Int64 =
            switch framing {
            case .raw(let end): min(end, file.size)
            case .gzip: file.size
            }
        let wanted = Int(max(0, min(Int64(input.count), end - inputEnd)))
        let part = UnsafeMutableRawBufferPointer(rebasing: input[..<wanted])
        let count = try file.read(at: inputEnd, into: part)
        inputEnd += Int64(count)
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = uInt(count)
    }

    /// Records the current position if decompression can continue from it: at the end of a deflate
    /// block that is not the last one.
    private func recordPosition() {
        let state = stream.pointee.data_type
        guard state & 128 != 0, state & 64 == 0, output - position.output >= Self.spacing else {
            return
        }
        var window = [UInt8](repeating: 0, count: 32_768)
        var length = uInt(window.count)
        let code = window.withUnsafeMutableBufferPointer {
            inflateGetDictionary(stream, $0.baseAddress, &length)
        }
        guard code == Z_OK, length <= 32_768 else { return }
        var next = InflatePosition(input: consumed)
        next.bits = Int(state & 7)
        next.output = output
        next.window = Data(window[..<Int(length)])
        next.crc = crc
        next.memberOutput = memberOutput
        position = next
    }

    // MARK: - Members

    private func finishMember() throws(ArchiveProblem) {
        guard case .gzip = framing else {
            isAtEnd = true
            return
        }
        let trailer = try file.bytes(at: consumed, length: 8)
        func number(_ start: Int) -> UInt32 {
            trailer[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard number(0) == crc, number(4) == UInt32(truncatingIfNeeded: memberOutput) else {
            throw ArchiveProblem(
                "The checksum of the archive is wrong, so some of its files may be damaged."
                    + " Download this part again.",
                isDamage: true
            )
        }
        begin(at: consumed + 8)
        isAtHeader = true
        var next = InflatePosition(input: inputEnd, isAtHeader: true)
        next.output = output
        position = next
    }

    /// Discards the buffered input and prepares to decompress a new member at an offset.
    private func begin(at offset: Int64) {
        stream.pointee.avail_in = 0
        inputEnd = offset
        inflateReset(stream)
        crc = 0
        memberOutput = 0
    }

    /// Reads the header of a gzip member.
    ///
    /// The stream ends if no other member follows. Other bytes after the last member are ignored.
    private func readHeader() throws(ArchiveProblem) {
        isAtHeader = false
        var offset = inputEnd
        let isFirst = offset == 0
        guard file.size - offset >= 10 else {
            if isFirst { throw .truncated }
            isAtEnd = true
            return
        }
        let fixed = try file.bytes(at: offset, length: 10)
        guard fixed[0] == 0x1f, fixed[1] == 0x8b, fixed[2] == 8, fixed[3] & 0xe0 == 0 else {
            if isFirst { throw .damaged }
            isAtEnd = true
            return
        }
        offset += 10
        if fixed[3] & 4 != 0 {
            let length = try file.bytes(at: offset, length: 2)
            offset += 2 + Int64(length[0]) + Int64(length[1]) << 8
        }
        for flag in [UInt8(8), 16] where fixed[3] & flag != 0 {
            // The file's name or a comment, up to a zero.
            let length = Int(min(4096, max(0, file.size - offset)))
            guard let zero = try file.bytes(at: offset, length: length).firstIndex(of: 0) else {
                throw .damaged
            }
            offset += Int64(zero) + 1
        }
        if fixed[3] & 2 != 0 { offset += 2 }
        begin(at: offset)
    }
}
