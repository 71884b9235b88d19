package import CloudSync
internal import Crypto
internal import Foundation

/// A receiver that decrypts a blob into a file while the bytes arrive.
///
///     pieces ──▶ frame complete ──checked──▶ file ‖ SHA-256 ──end──▶ whole
///     a frame that an opener checked ───────┘         │
///     frames of an earlier download ──read from the file──┘
///
/// 1. Only bytes of frames that were checked are written to the file.
/// 2. The file is known to be the expected one only when `finish()` has returned: it checks the
///    size and the SHA-256 of the whole.
/// 3. After an error the file is empty, so no byte of a refused object remains.
/// 4. Frames of an earlier download are not trusted, since a crash may have lost their bytes. They
///    are hashed as they are in the file, so that `finish()` refuses what is not theirs.
package struct BlobReceiver: Sendable {
    private let name: BlobName
    private let record: BlobRecord
    private let content: ContentID
    private let target: BlobFile
    private var opener: BlobOpener?
    /// The bytes of the header or of the next frame that were received so far.
    private var buffer = Data()
    private var frame: Int64 = 0
    private var hash = SHA256()

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - name: The name of the blob.
    ///   - record: Its record.
    ///   - content: The SHA-256 that the file must have.
    ///   - destination: A descriptor of the file, open for reading and writing. It is empty unless
    ///     `keepFrames(upTo:)` is called.
    package init(
        _ name: BlobName,
        record: BlobRecord,
        content: ContentID,
        to destination: Int32
    ) {
        self.name = name
        self.record = record
        self.content = content
        target = BlobFile(descriptor: destination, label: "a decrypted file")
    }

    /// The number of bytes of the file that were decrypted and checked so far, including those of
    /// kept frames.
    package var verified: Int64 {
        frame == 0 ? 0 : record.layout.plainRange(of: frame - 1).upperBound
    }

    /// The number of the frame that follows those in the file; nil if the file has all frames.
    package var nextFrame: Int64? { frame < record.layout.frameCount ? frame : nil }

    /// Keeps the next frames, which an earlier download has written to the file.
    ///
    /// Must be called before any bytes are received. `receive(_:)` then processes the header of the
    /// object and the frames that follow the kept ones.
    ///
    /// - Parameter end: The number of frames at the beginning of the file that are kept in all.
    /// - Throws: ``CloudKeyError``: `damaged` if the file has fewer frames, `inputOutput`.
    package mutating func keepFrames(upTo end: Int64) throws(CloudKeyError) {
        do throws(CloudKeyError) {
            var buffer = Data()
            while frame < min(end, record.layout.frameCount) {
                let range = record.layout.plainRange(of: frame)
                let plain = try target.read(range, into: &buffer)
                guard plain.count == range.count else { throw damage("Its kept part was cut.") }
                hash.update(data: plain)
                frame += 1
            }
        } catch {
            target.truncate()
            throw error
        }
    }

    /// Processes the next bytes of the object.
    ///
    /// - Throws: ``CloudKeyError``: `damaged`, `inputOutput`, `laterVersion`.
    package mutating func receive(_ piece: some Collection<UInt8>) throws(CloudKeyError) {
        do throws(CloudKeyError) {
            buffer.append(contentsOf: piece)
            try openFrames()
        } catch {
            target.truncate()
            throw error
        }
    }

    /// Adds the next frame, which an opener of the same blob has decrypted.
    ///
    /// Replaces `receive(_:)` for a caller that reads the object frame by frame.
    ///
    /// - Throws: ``CloudKeyError``: `damaged` for another frame than the next one, `inputOutput`.
    package mutating func accept(_ opened: BlobFrame) throws(CloudKeyError) {
        do throws(CloudKeyError) {
            guard opened.number == nextFrame else { throw damage("Its frames are out of order.") }
            try append(opened.bytes)
        } catch {
            target.truncate()
            throw error
        }
    }

    /// Removes all bytes of the file, after its object was refused.
    package func refuse() { target.truncate() }

    private mutating func openFrames() throws(CloudKeyError) {
        if opener == nil {
            guard buffer.count >= BlobLayout.headerSize else { return }
            opener = try BlobOpener(name, record: record, header: buffer)
            keepRest(after: BlobLayout.headerSize)
        }
        guard let opener else { return }
        while frame < record.layout.frameCount {
            let size = record.layout.sealedRange(of: frame).count
            guard buffer.count >= size else { return }
            let plain = try opener.open(buffer.prefix(size), frame: frame)
            keepRest(after: size)
            try append(plain)
        }
        guard buffer.isEmpty else { throw damage("It has more bytes than the file.") }
    }

    /// Hashes and writes the bytes of the next frame.
    private mutating func append(_ plain: Data) throws(CloudKeyError) {
        hash.update(data: plain)
        try target.write(plain, at: record.layout.plainRange(of: frame).lowerBound)
        frame += 1
    }

    /// Removes the first `count` bytes of the buffer, and reserves space for a whole frame.
    private mutating func keepRest(after count: Int) {
        let rest = buffer.dropFirst(count)
        buffer = Data(capacity: BlobLayout.frameSize + ObjectCipher.tagSize)
        buffer.append(rest)
    }

    /// Checks the whole file; must be called after all bytes have been received.
    ///
    /// - Throws: ``CloudKeyError``: `damaged`, `wrongContent`.
    package func finish() throws(CloudKeyError) {
        do throws(CloudKeyError) {
            guard frame == record.layout.frameCount else { throw damage("It was cut.") }
            guard Array(hash.finalize()) == content.bytes else {
                throw .wrongContent(ObjectName.blob(name).description)
            }
        } catch {
            target.truncate()
            throw error
        }
    }

    private func damage(_ reason: String) -> CloudKeyError {
        .damaged(ObjectName.blob(name).description, reason)
    }
}
