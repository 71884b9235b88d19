internal import PhotoModel
package import WorkerClient
package import WorkerProtocol

/// Reads the facts of untrusted files; implemented by a worker pool and by test doubles.
package protocol MediaProber: Sendable {
    /// Reads the facts of the file at `descriptor`, which remains owned by the caller.
    ///
    /// - Throws: An error only if no worker is available; a file's own failure is part of the
    ///   result.
    func probe(_ request: ProbeRequest, descriptor: Int32) throws(WorkerError) -> ProbeAnswer

    /// Decodes a whole picture to check that it is complete, and returns a small version with its
    /// alpha.
    ///
    /// - Parameters:
    ///   - side: The longer side of the result, in pixels.
    ///   - descriptor: The file, which the caller keeps.
    /// - Returns: The picture; for a movie, its first frame.
    /// - Throws: An error only if no worker is available.
    func decodePreview(side: Int, descriptor: Int32) throws(WorkerError) -> DecodeAnswer
}

extension WorkerPool: MediaProber {
    package func decodePreview(side: Int, descriptor: Int32) throws(WorkerError) -> DecodeAnswer {
        let shape = PixelShape(size: PixelSize(width: side, height: side))
        return try decode(DecodeRequest(shape: shape, layout: .rgba), descriptor: descriptor)
    }
}

/// Receives the pixels of each asset's first rendition, a small image made while the file was read,
/// after the asset is committed.
package protocol FirstRenditionSink: Sendable {
    /// Stores the pixels, which are opaque, as a small rendition.
    ///
    /// May fail silently, since renditions are regenerated on demand.
    func store(pixels: PixelMemory, assetUUID: String, contentVersion: Int)
}

extension FirstRenditionSink {
    /// Stores the pixels of the first renditions of a committed batch.
    func store(_ made: [BatchCommit.Rendition]) {
        for rendition in made {
            store(
                pixels: rendition.pixels,
                assetUUID: rendition.assetUUID,
                contentVersion: rendition.contentVersion
            )
        }
    }
}
