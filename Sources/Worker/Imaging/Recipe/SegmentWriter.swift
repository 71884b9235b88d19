/// A writer that inserts metadata into a JPEG or PNG file while the file is encoded.
///
/// Only the beginning of the file is kept, so that the memory for an edit does not grow with the
/// file: an edit of a JPEG of 48 megapixels took 94 MB with the whole file in memory.
final class SegmentWriter {
    private let content: FileSegments.Content
    private let isJPEG: Bool
    private let sink: any RowSink
    /// The bytes received before the metadata is inserted; nil afterward.
    private var head: [UInt8]? = []
    /// The number of bytes that the sink received.
    private(set) var length = 0

    init(_ content: FileSegments.Content, isJPEG: Bool, sink: any RowSink) {
        self.content = content
        self.isJPEG = isJPEG
        self.sink = sink
    }

    /// Receives the next bytes of the encoded file; returns false if the sink refused bytes.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard head != nil else { return pass(bytes) }
        head?.append(contentsOf: bytes)
        guard let head, isComplete(head) else { return true }
        return insert(into: head)
    }

    /// Writes the buffered bytes if the file ended before the insertion point; returns false if the
    /// sink refused bytes.
    func finish() -> Bool {
        guard let head else { return true }
        return insert(into: head)
    }

    /// Returns whether the bytes reach the insertion point: the end of the JFIF segment or of the
    /// PNG header.
    private func isComplete(_ head: [UInt8]) -> Bool {
        guard isJPEG else { return head.count >= 33 }
        guard head.count > 6 else { return false }
        return head[3] != 0xe0 || head.count >= 4 + Int(head[4]) << 8 + Int(head[5])
    }

    private func insert(into head: [UInt8]) -> Bool {
        self.head = nil
        return head.withUnsafeBytes { head in
            let (wanted, segments) =
                isJPEG ? FileSegments.jpeg(head, content) : FileSegments.png(content)
            let place = min(wanted, head.count)
            return pass(UnsafeRawBufferPointer(rebasing: head[..<place]))
                && segments.withUnsafeBytes { pass($0) }
                && pass(UnsafeRawBufferPointer(rebasing: head[place...]))
        }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        length += bytes.count
        return sink.take(bytes)
    }
}
