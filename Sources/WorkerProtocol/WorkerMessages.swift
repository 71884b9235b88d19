package import PhotoModel

/// The number that host and worker compare before anything else.
package enum WorkerProtocolVersion {
    package static let current = 1
}

/// What the host asks of a worker.
///
/// One request is under way at a time on one connection; its file comes beside it as a descriptor.
package enum WorkerRequest: Codable, Hashable, Sendable {
    /// The first message.
    ///
    /// The limits hold for all that follows.
    case hello(version: Int, limits: WorkerLimits)
    /// Reads a file's facts and, when asked, the pixels of a small first rendition.
    case probe(ProbeRequest)
}

/// What a worker answers.
///
/// Pixels come beside it in sealed memory.
package enum WorkerReply: Codable, Hashable, Sendable {
    case hello(version: Int, sandbox: SandboxReport)
    case probed(MediaFacts, firstRendition: PixelBufferDescription?)
    /// Not a medium that the library holds; why, in words for people.
    case unsupported(reason: String)
    /// The file is damaged or over a limit; why, in words for people.
    case failed(reason: String)
}

/// What to read from a file.
package struct ProbeRequest: Codable, Hashable, Sendable {
    /// The file's name, for words to people and for telling sidecars apart; never trusted for the type.
    package var filename: String
    /// The longer side in pixels of the first rendition; 0 for none.
    ///
    /// It is made only from a preview that the camera embedded, when that is upright and has the
    /// right aspect.
    package var renditionSide: Int

    package init(filename: String, renditionSide: Int) {
        self.filename = filename
        self.renditionSide = renditionSide
    }
}

/// Pixels in sealed memory: rows from the top, sRGB, 8 bits, 3 channels, red first, no padding.
package struct PixelBufferDescription: Codable, Hashable, Sendable {
    package var size: PixelSize
    package var bytesPerRow: Int

    package init(size: PixelSize, bytesPerRow: Int) {
        self.size = size
        self.bytesPerRow = bytesPerRow
    }
}

/// What a worker may use.
///
/// A file that needs more costs one clear error.
package struct WorkerLimits: Codable, Hashable, Sendable {
    /// Pixels of one picture.
    package var maximumPixels: Int
    /// Bytes of address space beyond what the worker has after starting.
    package var maximumMemoryInBytes: Int
    /// Seconds of processor time for one request.
    package var maximumProcessorSeconds: Int
    /// Whether to go on where the kernel cannot confine the worker.
    ///
    /// Only by an explicit opt-out.
    package var allowsUnconfined: Bool

    package static let standard = WorkerLimits(
        maximumPixels: 500_000_000,
        maximumMemoryInBytes: 4 << 30,
        maximumProcessorSeconds: 60,
        allowsUnconfined: false
    )

    package init(
        maximumPixels: Int,
        maximumMemoryInBytes: Int,
        maximumProcessorSeconds: Int,
        allowsUnconfined: Bool
    ) {
        self.maximumPixels = maximumPixels
        self.maximumMemoryInBytes = maximumMemoryInBytes
        self.maximumProcessorSeconds = maximumProcessorSeconds
        self.allowsUnconfined = allowsUnconfined
    }
}

/// How a worker is confined, as the kernel granted it.
package struct SandboxReport: Codable, Hashable, Sendable {
    /// Landlock's ABI, 0 where there is none.
    package var landlockABI: Int
    package var hasSeccomp: Bool
    package init(landlockABI: Int, hasSeccomp: Bool) {
        self.landlockABI = landlockABI
        self.hasSeccomp = hasSeccomp
    }
}
