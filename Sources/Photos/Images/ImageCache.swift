internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// Pictures that were delivered lately, up to a number of bytes; those not asked for longest go first.
///
/// A picture answers every request that it covers, not only equal ones. What it holds is shared with
/// the images that programs have, so a hit copies nothing.
final class ImageCache: Sendable {
    /// What pictures show; sizes apart.
    private struct Subject: Hashable {
        var connection: ObjectIdentifier
        var assetUUID: String
        var contentVersion: Int
        var version: ImageRequest.Version
    }

    private struct Entry {
        var image: UIImage
        var shape: PixelShape
        var bytes: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Subject: [Entry]] = [:]
        var bytes = 0
        var clock: UInt64 = 0
    }

    /// A picture with more than so many times the pixels asked for is not handed out: it would be
    /// slower to show than another would be to make.
    private static let generosity = 4

    static let shared = ImageCache(limitInBytes: 128 << 20)

    private let limitInBytes: Int
    private let state = Mutex(State())

    init(limitInBytes: Int) {
        self.limitInBytes = limitInBytes
    }

    var bytes: Int { state.withLock { $0.bytes } }

    /// A picture that is all that a request asks for.
    func image(for specification: ImageSpecification) -> UIImage? {
        let subject = Self.subject(specification)
        return state.withLock { state in
            guard var entries = state.entries[subject],
                let index = entries.firstIndex(where: { Self.does($0, for: specification) })
            else { return nil }
            state.clock += 1
            entries[index].lastUse = state.clock
            state.entries[subject] = entries
            return entries[index].image
        }
    }

    /// Keeps a picture that was asked for with a shape; very large ones are not kept.
    func keep(
        _ image: UIImage,
        for specification: ImageSpecification,
        contentVersion: Int
    ) {
        guard let pixels = image.cgImage else { return }
        let bytes = pixels.bytesPerRow * pixels.height
        guard bytes <= limitInBytes / 4 else { return }
        var subject = Self.subject(specification)
        subject.contentVersion = contentVersion
        state.withLock { state in
            state.clock += 1
            let entry = Entry(
                image: image,
                shape: specification.shape,
                bytes: bytes,
                lastUse: state.clock
            )
            var entries = state.entries[subject] ?? []
            if let same = entries.firstIndex(where: { $0.shape == entry.shape }) {
                state.bytes -= entries[same].bytes
                entries.remove(at: same)
            }
            entries.append(entry)
            state.entries[subject] = entries
            state.bytes += bytes
            if state.bytes > limitInBytes { Self.shrink(&state, to: limitInBytes / 4 * 3) }
        }
    }

    /// Lets all pictures go.
    func removeAll() {
        state.withLock { state in
            state.entries = [:]
            state.bytes = 0
        }
    }

    /// Drops the oldest in one sweep, so that the cost of finding them is rare.
    private static func shrink(_ state: inout State, to bytes: Int) {
        let uses = state.entries.values.joined().map { ($0.lastUse, $0.bytes) }.sorted {
            $0.0 < $1.0
        }
        var excess = state.bytes - bytes
        var newest: UInt64 = 0
        for (use, size) in uses where excess > 0 {
            excess -= size
            newest = use
        }
        for (subject, entries) in state.entries {
            let kept = entries.filter { $0.lastUse > newest }
            guard kept.count < entries.count else { continue }
            state.bytes -= entries.reduce(0) { $0 + ($1.lastUse > newest ? 0 : $1.bytes) }
            state.entries[subject] = kept.isEmpty ? nil : kept
        }
    }

    private static func subject(_ specification: ImageSpecification) -> Subject {
        Subject(
            connection: ObjectIdentifier(specification.connection),
            assetUUID: specification.record.uuid,
            contentVersion: specification.record.contentVersion,
            version: specification.version
        )
    }

    private static func does(_ entry: Entry, for wanted: ImageSpecification) -> Bool {
        if entry.shape == wanted.shape { return true }
        guard wanted.takesLarger, wanted.shape.size != nil, wanted.shape.crop == nil,
            entry.shape.crop == nil, entry.shape.fitting == .fit || entry.shape.fitting == .fill,
            let pixels = entry.image.cgImage, wanted.record.pixelSize.width > 0,
            wanted.record.pixelSize.height > 0
        else { return false }
        let plan = PixelPlan(wanted.shape, of: wanted.record.pixelSize)
        return pixels.width >= plan.scaled.width && pixels.height >= plan.scaled.height
            && pixels.width * pixels.height <= plan.scaled.width * plan.scaled.height * generosity
    }
}
