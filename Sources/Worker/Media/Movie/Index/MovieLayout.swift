internal import Glibc

/// The positions of a movie file's top-level boxes, and access to their content.
struct MovieLayout {
    struct Place {
        var name: String
        /// The offset of the box in the file; `header` is the length of the box's header.
        var offset: Int
        var header: Int
        /// The declared length of the box, including its header; the box may extend beyond the end
        /// of the file.
        var length: Int

        var start: Int { offset + header }
        var end: Int { offset + length }
    }

    private static let maximumBoxes = 10_000
    private static let maximumIndexLength = 128 << 20

    private(set) var boxes: [Place] = []
    /// The length of the file in bytes.
    let size: Int
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var status = stat()
        size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        var position = 0
        while boxes.count < Self.maximumBoxes, position < size,
            let place = place(at: position)
        {
            boxes.append(place)
            guard place.end > position else { return }
            position = place.end
        }
    }

    private func place(at position: Int) -> Place? {
        guard let header = read(at: position, length: 16) else { return nil }
        return header.withUnsafeBytes { bytes in
            let view = ByteView(bytes)
            guard let short = view.integer32(at: 0), let name = view.code(at: 4) else {
                return nil
            }
            var (head, length) = (8, short)
            if short == 1 {
                guard let long = view.number(at: 8, length: 8), long <= Int.max / 4 else {
                    return nil
                }
                (head, length) = (16, Int(long))
            } else if short == 0 {
                // The last box may extend to the end of the file.
                length = size - position
            }
            guard length >= head, position <= Int.max / 2 else { return nil }
            return Place(name: name, offset: position, header: head, length: length)
        }
    }

    /// The movie's index (`moov`); nil if it is missing, incomplete or inconsistent.
    var index: IndexBox? {
        guard let place = boxes.first(where: { $0.name == "moov" }),
            place.length - place.header <= Self.maximumIndexLength,
            let bytes = body(of: place, atMost: Self.maximumIndexLength),
            bytes.count == place.length - place.header
        else { return nil }
        return bytes.withUnsafeBytes { IndexBox("moov", body: ByteView($0)) }
    }

    /// Returns the content of a box, up to `limit` bytes; nil if the box has no content.
    ///
    /// If the file ends inside the box, the result is shorter than the content.
    func body(of place: Place, atMost limit: Int) -> [UInt8]? {
        read(at: place.start, length: min(place.length - place.header, limit))
    }

    /// Reads up to `length` bytes at an offset; returns nil if no byte can be read.
    func read(at offset: Int, length: Int) -> [UInt8]? {
        guard offset >= 0, offset < size, length > 0 else { return nil }
        let wanted = min(length, size - offset)
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            count = Self.fill(
                UnsafeMutableRawBufferPointer(buffer),
                from: descriptor,
                at: offset
            )
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Reads until a buffer is full or the file ends; returns the number of bytes read.
    static func fill(
        _ buffer: UnsafeMutableRawBufferPointer,
        from descriptor: Int32,
        at offset: Int
    ) -> Int {
        var received = 0
        while received < buffer.count, let start = buffer.baseAddress {
            let count = pread(
                descriptor,
                start + received,
                buffer.count - received,
                off_t(offset + received)
            )
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            received += count
        }
        return received
    }
}
