package import PhotoModel

/// The number that host and worker compare before anything else.
package enum WorkerProtocolVersion {
    package static let current = 7
}

/// What the host asks of a worker.
///
/// One request is under way at a time on one connection. Its file comes beside it as a descriptor;
/// `memory` comes next where `hasMemory` says so.
package enum WorkerRequest: Codable, Hashable, Sendable {
    /// The first message.
    ///
    /// The limits hold for all that follows.
    case hello(version: Int, limits: WorkerLimits)
    /// Reads a file's facts and, when asked, the pixels of a small first rendition.
    case probe(ProbeRequest)
    /// Decodes a picture, or a movie's first frame.
    case decode(DecodeRequest)
    /// Reads what an editor did to a picture or movie, out of its envelope.
    case adjustments
    /// Encodes pixels, which come beside it in sealed memory.
    case encode(EncodeRequest)
    /// Draws a recipe.
    ///
    /// As many `source` messages come next as the recipe has sources; no file comes beside this one.
    case render(PictureRendering)
    /// One of a recipe's sources comes beside it, in their order.
    case source
    /// Memory for the bytes of the answer comes beside it, empty or of the size that it can't exceed.
    ///
    /// The host makes and seals it: the kernel counts the descriptors on their way for each user, and
    /// lets a process with a low limit of descriptors send none while others send many.
    case memory
    /// Reads all that a movie says of itself and of its tracks.
    case movieFacts
    /// Makes another movie of a movie.
    ///
    /// The next message is `output`, with the file to write. `progress` comes before the answer, any
    /// number of times.
    case convert(MovieConversion)
    /// The file that a conversion writes comes beside it: empty, to be written, read and sought in.
    case output
    /// Memory for the frame that was announced comes beside it, to be written once.
    case frameMemory
    /// What is encoded in place of the frame that was written comes beside it: as many rows of four
    /// bytes for each pixel; nil and nothing beside it for the frame itself.
    case drawnFrame(PixelSize?)
    /// The answer that is being worked on is not wanted any more.
    ///
    /// It may come after that answer went; it has none of its own.
    case cancel

    /// Whether the answer's bytes go into memory that the host sends in the next message; after the
    /// sources of a recipe.
    package var hasMemory: Bool {
        switch self {
        case .probe(let probe): probe.renditionSide > 0
        case .decode, .adjustments, .encode, .render: true
        case .hello, .source, .memory, .movieFacts, .convert, .output, .frameMemory, .drawnFrame,
            .cancel:
            false
        }
    }
}

/// What a worker answers.
///
/// No descriptor comes beside it: pixels and files are written into the host's memory.
package enum WorkerReply: Codable, Hashable, Sendable {
    case hello(version: Int, sandbox: SandboxReport)
    case probed(MediaFacts, firstRendition: PixelBufferDescription?)
    case decoded(DecodedFacts, PixelBufferDescription)
    /// The file was written.
    case encoded(length: Int)
    /// The pixels were written; whether the last component is alpha, not one throughout.
    case rendered(PixelBufferDescription, hasAlpha: Bool)
    /// One of a recipe's sources is damaged or over a limit; why, in words for people.
    case failedSource(Int, reason: String)
    /// The editor's own data were written, if there are any.
    case adjustments(formatIdentifier: String, formatVersion: String, length: Int)
    case movieFacts(MovieFacts)
    /// How far a conversion is, 0...1, never less than before.
    case progress(Double)
    /// A frame of the movie that is converted, for which the host sends `frameMemory`.
    case frame(MovieFrameFacts)
    /// The frame was written; the host answers with `drawnFrame`.
    case frameWritten
    case converted(MovieConversionReport)
    /// What was asked for was cancelled.
    case cancelled
    /// Not a medium that the library holds; why, in words for people.
    case unsupported(reason: String)
    /// The file is damaged or over a limit; why, in words for people.
    case failed(reason: String)
    /// What is made can't be written; why, in words for people.
    case unwritable(reason: String)
    /// The worker ends, for a reason that is not the file's; why, as a clause.
    case ended(reason: String)
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
    /// Whether all tags of a still are wanted as they are written, beside the facts.
    package var wantsTags: Bool

    package init(filename: String, renditionSide: Int, wantsTags: Bool = false) {
        self.filename = filename
        self.renditionSide = renditionSide
        self.wantsTags = wantsTags
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
    /// Seconds of processor time for one request; a conversion gets them again whenever it has come
    /// further.
    package var maximumProcessorSeconds: Int
    /// Bytes of the file that it writes, for a worker that converts movies and does nothing else; nil
    /// for one that reads.
    package var maximumOutputInBytes: Int?
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
