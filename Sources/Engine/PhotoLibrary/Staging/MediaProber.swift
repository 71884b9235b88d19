internal import PhotoModel
package import WorkerClient
package import WorkerProtocol

/// Reads the facts of a file whose bytes nobody trusts: a pool of workers, or a test's table.
package protocol MediaProber: Sendable {
    /// Reads the facts of the file behind `descriptor`, which stays the caller's.
    ///
    /// - Throws: Only when no worker can be had; a file's own failure is an answer.
    func probe(_ request: ProbeRequest, descriptor: Int32) throws(WorkerError) -> ProbeAnswer

    /// Decodes all of a picture, to see whether it is whole, and gives it small.
    ///
    /// - Parameters:
    ///   - side: The longer side of what is given, in pixels.
    ///   - descriptor: The file, which stays the caller's.
    /// - Returns: The picture; for a movie, its first frame.
    /// - Throws: Only when no worker can be had.
    func decodePreview(side: Int, descriptor: Int32) throws(WorkerError) -> DecodeAnswer
}

extension WorkerPool: MediaProber {
    package func decodePreview(side: Int, descriptor: Int32) throws(WorkerError) -> DecodeAnswer {
        let shape = PixelShape(size: PixelSize(width: side, height: side))
        return try decode(DecodeRequest(shape: shape, layout: .rgb), descriptor: descriptor)
    }
}

/// Takes the pixels of first small renditions, once their asset is committed.
package protocol FirstRenditionSink: Sendable {
    /// Keeps the pixels as a small rendition.
    ///
    /// It may fail in silence: renditions are made again on demand.
    func store(pixels: PixelMemory, assetUUID: String, contentVersion: Int)
}
