internal import Foundation
package import LibraryService
package import PhotoLibrary
package import PhotoModel
internal import RenditionCodec
package import WorkerClient

/// Finds photos that show the same picture but whose files differ.
///
/// 1. The fingerprint of each photo's present content is stored beside its renditions. A missing
///    one is computed from the small rendition, which is made if necessary.
/// 2. An index finds pairs of similar fingerprints.
/// 3. The pixels and the capture metadata of each such pair are compared.
///
/// Only renditions and fingerprints are written. Thread-safe.
package struct DuplicateFinder: Sendable {
    /// The number of rows and of columns of the grid into which images are divided for comparison.
    private static let parts = 64

    private let view: LibraryView
    private let renditions: RenditionStore
    private let images: ImageLoader

    package init(view: LibraryView, renditions: RenditionStore, images: ImageLoader) {
        self.view = view
        self.renditions = renditions
        self.images = images
    }

    package func duplicates(
        _ request: DuplicatesRequest,
        cancellation: RequestCancellation = RequestCancellation()
    ) throws -> DuplicatesReply {
        let candidates = try DuplicateCandidate.all(view)
        var prints = renditions.fingerprints()
        let missing = candidates.filter { prints[$0.uuid]?.contentVersion != $0.contentVersion }
        let deadline = ContinuousClock.now + Duration(ofRequest: request.patience)
        for (index, candidate) in missing.enumerated() {
            if index > 0, ContinuousClock.now > deadline {
                return DuplicatesReply(remaining: missing.count - index, groups: [])
            }
            try cancellation.check()
            let entry = try fingerprint(of: candidate, cancellation)
            prints[candidate.uuid] = entry
        }
        let known = candidates.compactMap { candidate in
            prints[candidate.uuid]?.print.map { (candidate: candidate, print: $0) }
        }
        return DuplicatesReply(remaining: 0, groups: try groups(of: known, cancellation))
    }

    /// Computes the fingerprint of a photo, and stores it unless a later attempt could give another
    /// result.
    ///
    /// - Throws: `cancelled`, or `workerUnavailable`, which says nothing about the photo.
    private func fingerprint(
        of candidate: DuplicateCandidate,
        _ cancellation: RequestCancellation
    ) throws -> RenditionStore.Fingerprint {
        var entry = RenditionStore.Fingerprint(
            print: nil,
            contentVersion: candidate.contentVersion
        )
        do {
            entry.print = try pixels(of: candidate, cancellation)
                .flatMap(PictureFingerprint.init(pixels:))
        } catch let error as LibraryError {
            switch error.code {
            case .invalidResource: break
            case .cancelled, .workerUnavailable: throw error
            default:
                // For example, the file is missing now.
                renditions.remember(entry, of: candidate.uuid)
                return entry
            }
        }
        renditions.store(entry, of: candidate.uuid)
        return entry
    }

    private func groups(
        of known: [(candidate: DuplicateCandidate, print: PictureFingerprint)],
        _ cancellation: RequestCancellation
    ) throws(LibraryError) -> [RowIDBuffer] {
        var groups = Groups(count: known.count)
        var details: [Int: [Double]] = [:]
        func detail(_ index: Int) -> [Double] {
            if let known = details[index] { return known }
            let pixels = try? pixels(of: known[index].candidate, cancellation)
            let luma = pixels?.luma(Self.parts) ?? []
            details[index] = luma
            return luma
        }
        FingerprintIndex(known.map(\.print)).forEachPair { first, second in
            guard !cancellation.isCancelled,
                known[first].candidate.canBeSame(as: known[second].candidate),
                groups.root(of: first) != groups.root(of: second),
                PictureParts.isSame(detail(first), detail(second), columns: Self.parts)
            else { return }
            groups.join(first, second)
        }
        try cancellation.check()
        return groups.all().map { group in
            let sorted = group.map { known[$0].candidate }.sorted { $0.isBetter(than: $1) }
            return RowIDBuffer(sorted.map(\.id))
        }
    }

    /// Returns the pixels of a photo's small rendition.
    ///
    /// - Throws: The reason why it cannot be made.
    private func pixels(
        of candidate: DuplicateCandidate,
        _ cancellation: RequestCancellation
    ) throws -> SmallPixels? {
        if let known = rendition(of: candidate) { return known }
        let side = RenditionStore.firstSizeClass
        let request = ImageRequest(
            assetUUID: candidate.uuid,
            shape: PixelShape(size: PixelSize(width: side, height: side))
        )
        // The pixels come from the reply, since no rendition is kept for small or damaged images.
        guard let (reply, pixels) = try images.image(request, cancellation: cancellation)
        else { return nil }
        return PixelMemory(reply.pixels, pixels, maximumSide: 4 * side).map(SmallPixels.memory)
    }

    private func rendition(of candidate: DuplicateCandidate) -> SmallPixels? {
        let found = renditions.rendition(
            of: candidate.uuid,
            contentVersion: candidate.contentVersion,
            covers: { _ in true },
            takesAny: true
        )
        guard let found, let decoded = try? JPEGDecoder.decode(found.jpeg) else { return nil }
        return .decoded(decoded)
    }
}

/// The pixels of a small image, decoded or in shared memory.
enum SmallPixels {
    case decoded(DecodedPixels)
    case memory(PixelMemory)

    /// Returns the mean luma of each cell of a `parts` × `parts` grid, row by row; nil if the image
    /// is too small.
    func luma(_ parts: Int) -> [Double]? {
        withBytes { bytes, size, bytesPerPixel in
            PictureParts(
                bytes,
                size: size,
                bytesPerPixel: bytesPerPixel,
                bytesPerRow: size.width * bytesPerPixel
            )?.luma(columns: parts, rows: parts)
        }
    }

    fileprivate func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer, PixelSize, Int) -> Result
    ) -> Result {
        switch self {
        case .decoded(let pixels):
            pixels.bytes.withUnsafeBytes { body($0, pixels.size, pixels.layout.bytesPerPixel) }
        case .memory(let memory):
            memory.withBytes {
                body($0, memory.description.size, memory.description.layout.bytesPerPixel)
            }
        }
    }
}

extension PixelMemory {
    /// Maps the pixels of a reply; nil for sealed memory that is invalid or larger than
    /// `maximumSide`.
    package convenience init?(
        _ description: PixelBufferDescription,
        _ pixels: ImagePixels,
        maximumSide: Int
    ) {
        switch pixels {
        case .block(let block): self.init(description: description, block: block)
        case .sealed(let descriptor):
            self.init(
                description: description,
                descriptor: descriptor.number,
                maximumSide: maximumSide
            )
        }
    }
}

extension PictureFingerprint {
    init?(pixels: SmallPixels) {
        let print = pixels.withBytes { bytes, size, bytesPerPixel in
            PictureFingerprint(
                bytes,
                size: size,
                bytesPerPixel: bytesPerPixel,
                bytesPerRow: size.width * bytesPerPixel
            )
        }
        guard let print else { return nil }
        self = print
    }
}
