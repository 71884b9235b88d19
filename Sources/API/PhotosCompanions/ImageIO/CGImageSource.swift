internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization
internal import WorkerClient
internal import WorkerProtocol

/// A file of a picture, or its bytes: what is in it, without decoding more than is asked for.
///
/// The file is read in the confined process `photos-worker`, when something is first asked of it, and
/// keeps open. Sources can be used from any thread; calls wait for the worker.
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
        // O_NONBLOCK: a named pipe would wait for a writer.
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

    // MARK: - Facts

    /// What a worker read; nil for what is no picture, or when no worker can be had.
    var facts: MediaFacts? { try? read().get() }

    /// Why there are no facts.
    var isDamaged: Bool {
        if case .failure(let error) = read(), error.code == .invalidResource { return true }
        return false
    }

    private func read() -> Result<MediaFacts, LibraryError> {
        answer.withLock { answer in
            if let answer { return answer }
            let result = probe()
            // A worker that could not be had may be there later.
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
        case .facts: reason = "It is not a still picture."
        case .unsupported(let why), .failed(let why): reason = why
        }
        return .failure(LibraryError(.invalidResource, "“\(name)” can't be read.", reason: reason))
    }

    /// What the file says, under ImageIO's names; nil for what is no picture.
    var properties: [String: Any]? { facts.map { ImageProperties($0).dictionary } }

    var lengthInBytes: Int { length }

    // MARK: - Pixels

    /// The upright picture.
    ///
    /// - Parameters:
    ///   - side: The longer side in pixels at most; nil for all that there are.
    ///   - takesAnyPreview: Whether a preview in the file will do, however small.
    /// - Returns: Nil for what can't be decoded.
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

    /// The picture as it is stored, for recipes; nil for what does not say how large it is.
    var recipeSource: RecipeSource? {
        guard let facts, facts.hasReadableHeader else { return nil }
        let size = facts.format.leavesTurning ? facts.storedSize : facts.displaySize
        guard let size, size.width > 0, size.height > 0 else { return nil }
        return RecipeSource(.file(size), .file(file), name: name)
    }

    /// The picture's gain map; nil where there is none that is known here.
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

    /// The same source only.
    public static func == (one: CGImageSource, other: CGImageSource) -> Bool { one === other }

    /// Agrees with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
