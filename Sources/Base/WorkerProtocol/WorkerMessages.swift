package import PhotoModel

/// The protocol version, which host and worker exchange and compare first.
package enum WorkerProtocolVersion {
    package static let current = 14
}

/// A message from the host to a worker.
///
/// A connection processes one request at a time. The request carries its file as a descriptor;
/// `memory` follows if `hasMemory` is true.
package enum WorkerRequest: Codable, Hashable, Sendable {
    /// The first message, which opens the connection.
    ///
    /// The limits apply to all later requests.
    case hello(version: Int, limits: WorkerLimits)
    /// Reads a file's metadata.
    ///
    /// If requested, it also decodes the pixels of a small first rendition.
    case probe(ProbeRequest)
    /// Decodes an image, or one frame of a movie.
    case decode(DecodeRequest)
    /// Reads an editor's adjustments of a photo or movie from Apple's adjustment envelope (an AAE
    /// file).
    case adjustments
    /// Encodes the pixels in the sealed memory that is sent with the message.
    case encode(EncodeRequest)
    /// Renders a recipe.
    ///
    /// One `source` message per source of the recipe follows; this message carries no file.
    case render(PictureRendering)
    /// Carries one source of a recipe; the sources are sent in order.
    case source
    /// Carries the memory into which the worker writes the answer's bytes; its size is the answer's
    /// maximum length, or 0 if that length is not known in advance.
    ///
    /// The host creates and seals the memory, since a worker may be unable to send descriptors: the
    /// kernel counts descriptors in flight per user, so a process with a low descriptor limit
    /// cannot send any while other processes send many.
    case memory
    /// Reads all metadata of a movie and of its tracks.
    case movieFacts
    /// Converts a movie to another movie.
    ///
    /// The next message is `output`, with the file to write. Any number of `progress` replies
    /// precede the answer.
    case convert(MovieConversion)
    /// Carries the output file of a conversion or an extraction: readable, writable and seekable.
    case output
    /// Lists a part of an archive.
    case archivePage(ArchiveCursor)
    /// Extracts the next bytes of an archive's entry.
    ///
    /// The next message is `output`, with the file to write.
    case extract(ArchiveExtraction)
    /// Reads a JSON file of Google Takeout.
    case takeout
    /// Carries the memory for the frame that the worker announced.
    ///
    /// The worker writes one frame into it.
    case frameMemory
    /// Carries the image that replaces the movie frame written by the worker: its size, and rows of
    /// pixels with four bytes each.
    ///
    /// With nil and without a descriptor, the worker encodes its own frame.
    case drawnFrame(PixelSize?)
    /// Opens the database of another program's library, in a worker that reads only libraries.
    ///
    /// Any number of `libraryPart` messages follow, and then `libraryLog`. The answer is the first
    /// batch of records.
    case readLibrary
    /// Opens the file `library.jsonl` of a library's export, in a worker that reads only libraries.
    ///
    /// The answer is the first batch of records.
    case readExport
    /// Carries another file of the library.
    case libraryPart(ForeignLibraryPart)
    /// Carries the database's write-ahead log. Without a descriptor, the message states that there
    /// is no log.
    case libraryLog
    /// Requests the next records.
    ///
    /// The number is the maximum for the batch.
    case nextRecords(Int)
    /// Reads the library or the export again, from its first record.
    ///
    /// The answer is the first batch of records.
    case readAgain
    /// Cancels the request in progress.
    ///
    /// It may arrive after the answer was sent. It has no answer of its own.
    case cancel

    /// Indicates whether the host also sends memory for the bytes of the answer.
    ///
    /// The `memory` message follows this one, or follows the sources of a recipe.
    package var hasMemory: Bool {
        switch self {
        case .probe(let probe): probe.renditionSide > 0
        case .decode, .adjustments, .encode, .render: true
        case .hello, .source, .memory, .movieFacts, .convert, .output, .frameMemory, .drawnFrame,
            .readLibrary, .readExport, .libraryPart, .libraryLog, .nextRecords, .readAgain,
            .archivePage,
            .extract,
            .takeout,
            .cancel:
            false
        }
    }
}

/// A message from a worker to the host.
///
/// It carries no descriptor: pixels and files are written into the host's memory.
package enum WorkerReply: Codable, Hashable, Sendable {
    case hello(version: Int, sandbox: SandboxReport)
    case probed(MediaFacts, firstRendition: PixelBufferDescription?)
    case decoded(DecodedFacts, PixelBufferDescription)
    /// The encoded file was written.
    case encoded(length: Int)
    /// The pixels were written.
    ///
    /// `hasAlpha` is true if the last component is alpha and not 1 everywhere.
    case rendered(PixelBufferDescription, hasAlpha: Bool)
    /// A source of the recipe is damaged or over a limit; `reason` is text for users.
    case failedSource(Int, reason: String)
    /// The adjustments were read, and the editor's data, if any, were written.
    ///
    /// `length` is the length of the data in bytes.
    case adjustments(formatIdentifier: String, formatVersion: String, length: Int)
    case movieFacts(MovieFacts)
    /// The progress of a conversion, 0...1, never decreasing.
    case progress(Double)
    /// A frame of the movie being converted, for which the host sends `frameMemory`.
    case frame(MovieFrameFacts)
    /// The frame was written; the host answers with `drawnFrame`.
    case frameWritten
    case converted(MovieConversionReport)
    /// Records of another program's library.
    case records(ForeignBatch)
    case archivePage(ArchivePage)
    /// The next bytes of an archive's entry were written.
    case extracted(ArchiveProgress)
    case takeout(TakeoutReading)
    /// The request was canceled.
    case cancelled
    /// The file is not a supported medium; `reason` is text for users.
    case unsupported(reason: String)
    /// The file is damaged or over a limit; `reason` is text for users.
    case failed(reason: String)
    /// The result cannot be written; `reason` is text for users.
    case unwritable(reason: String)
    /// The worker exits for a reason that is unrelated to the file; `reason` is a clause.
    case ended(reason: String)
}

/// A request to read a file's metadata.
package struct ProbeRequest: Codable, Hashable, Sendable {
    /// The file's name, which is never used to detect the type.
    package var filename: String
    /// The maximum side in pixels of the thumbnail that the probe makes; 0 for no thumbnail.
    ///
    /// The thumbnail is the first rendition. It is made only from an embedded camera preview that
    /// is upright and has the aspect ratio of the image.
    package var renditionSide: Int
    /// Indicates whether all tags of a still are returned as written, in addition to the metadata.
    package var wantsTags: Bool

    package init(filename: String, renditionSide: Int, wantsTags: Bool = false) {
        self.filename = filename
        self.renditionSide = renditionSide
        self.wantsTags = wantsTags
    }
}

/// The resource limits of a worker.
///
/// A file that exceeds a limit fails with a clear error.
package struct WorkerLimits: Codable, Hashable, Sendable {
    /// The maximum number of pixels of one image.
    package var maximumPixels: Int
    /// The maximum address space in bytes, in addition to the worker's usage after startup.
    package var maximumMemoryInBytes: Int
    /// The maximum processor time for one request, in seconds.
    ///
    /// For a conversion, the limit applies from each progress step to the next.
    package var maximumProcessorSeconds: Int
    /// The maximum size of the output file in bytes, for a worker that only converts movies.
    ///
    /// It is nil for a worker that writes no files.
    package var maximumOutputInBytes: Int?
    /// Indicates whether the worker continues to run if the kernel cannot sandbox it.
    ///
    /// This requires an explicit opt-out.
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

/// The sandbox that the kernel granted to a worker.
package struct SandboxReport: Codable, Hashable, Sendable {
    /// Landlock's ABI version; 0 if Landlock is unavailable.
    package var landlockABI: Int
    package var hasSeccomp: Bool
    package init(landlockABI: Int, hasSeccomp: Bool) {
        self.landlockABI = landlockABI
        self.hasSeccomp = hasSeccomp
    }
}
