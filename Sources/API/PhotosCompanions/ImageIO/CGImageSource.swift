internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization
internal import WorkerClient
internal import WorkerProtocol

/// An image file, on disk or in memory, whose parts are decoded on demand.
///
/// The confined process `photos-worker` reads the file at the first access. The file stays open.
/// Sources can be used from any thread; calls block until the worker answers.
public final class CGImageSource: Sendable, Hashable {
    private let file: Descriptor
    private let name: String
    private let length: Int
    private let answer = Mutex<Result<MediaFacts, LibraryError>?>(nil)

    private init(_ file: Descriptor, name: String, length: Int) {
        self.file = file
        self.name = name
        self.length = length
    }

    convenience init?(_ url: URL) {
        guard url.isFileURL else { return nil }
        // O_NONBLOCK: opening a named pipe would otherwise block until it has a writer.
        let number = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(file, name: url.lastPathComponent, length: Int(status.st_size))
    }

    convenience init?(_ data: Data) {
        guard !data.isEmpty else { return nil }
        let memory = SealedMemory.make(length: data.count) { buffer in
            data.copyBytes(to: buffer)
            return true
        }
        guard let memory else { return nil }
        self.init(Descriptor(owning: memory), name: "The picture", length: data.count)
    }

    // MARK: - Metadata

    /// The metadata of the file, read by the process `photos-worker`; nil if the file is not an
    /// image or the process is not available.
    var facts: MediaFacts? { try? read().get() }

    /// Indicates whether the process `photos-worker` examined the file and could not read it as an
    /// image; false if the process is not available.
    var isDamaged: Bool {
        if case .failure(let error) = read(), error.code == .invalidResource { return true }
        return false
    }

    private func read() -> Result<MediaFacts, LibraryError> {
        answer.withLock { answer in
            if let answer { return answer }
            let result = probe()
            // An unavailable worker may become available later, so that failure is not cached.
            if case .failure(let error) = result, error.code == .workerUnavailable { return result }
            answer = result
            return result
        }
    }

    private func probe() -> Result<MediaFacts, LibraryError> {
        let request = ProbeRequest(filename: name, renditionSide: 0, wantsTags: true)
        let answer: ProbeAnswer
        do {
            answer = try withExtendedLifetime(file) { () throws(WorkerError) in
                try ForeignWorkers.pool.probe(request, descriptor: file.number)
            }
        } catch {
            return .failure(
                LibraryError(.workerUnavailable, error.message, recovery: error.recovery)
            )
        }
        let reason: String
        switch answer {
        case .facts(let facts, _) where !facts.format.isMovie && !facts.format.isSidecar:
            return .success(facts)
        case .facts: reason = "It is not a still image."
        case .unsupported(let why), .failed(let why, _): reason = why
        }
        return .failure(LibraryError(.invalidResource, "“\(name)” cannot be read.", reason: reason))
    }

    /// The image properties under ImageIO's keys; nil if the file is not an image or no worker is
    /// available.
    var properties: [String: Any]? { facts.map { ImageProperties($0).dictionary } }

    var lengthInBytes: Int { length }

    // MARK: - Pixels

    /// Decodes the image, oriented upright.
    ///
    /// - Parameters:
    ///   - side: The maximum length of the longer side in pixels; nil for full size.
    ///   - takesAnyPreview: Whether an embedded preview suffices, however small.
    /// - Returns: Nil if the image can't be decoded.
    func uprightImage(side: Int?, takesAnyPreview: Bool) -> CGImage? {
        let shape = PixelShape(size: side.map { PixelSize(width: $0, height: $0) })
        let request = DecodeRequest(
            shape: shape,
            layout: .rgba,
            takesAnyPreview: takesAnyPreview
        )
        let answer = try? withExtendedLifetime(file) { () throws(WorkerError) in
            try ForeignWorkers.pool.decode(request, descriptor: file.number)
        }
        guard case .pixels(let facts, let pixels)? = answer, let memory = pixels.mapped() else {
            return nil
        }
        return CGImage(memory: memory, hasAlpha: facts.hasAlpha)
    }

    /// The image in stored orientation as a source for recipes; nil if the image size is unknown.
    var recipeSource: RecipeSource? {
        guard let facts, facts.hasReadableHeader else { return nil }
        let size = facts.format.leavesTurning ? facts.storedSize : facts.displaySize
        guard let size, size.width > 0, size.height > 0 else { return nil }
        return RecipeSource(.file(size), .file(file), name: name)
    }

    /// The image's gain map; nil if it has none in a supported format.
    var gainMap: AuxiliaryGainMap? {
        let request = DecodeRequest(shape: PixelShape(), layout: .rgb, part: .gainMap)
        let answer = try? withExtendedLifetime(file) { () throws(WorkerError) in
            try ForeignWorkers.pool.decode(request, descriptor: file.number)
        }
        guard case .pixels(let facts, let pixels)? = answer, let memory = pixels.mapped(),
            let map = facts.gainMap
        else { return nil }
        return AuxiliaryGainMap(memory, map)
    }

    /// Returns whether both variables refer to the same object.
    public static func == (one: CGImageSource, other: CGImageSource) -> Bool { one === other }

    /// A hash value consistent with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
