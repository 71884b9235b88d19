import CLinuxShim
import Foundation
import Glibc
@testable import Media
import PhotoModel
import SamplePhotos
import WorkerProtocol

/// The parsers of the worker that are written in Swift, each with the libraries that it calls.
extension FuzzTarget {
    static let media: [FuzzTarget] = [
        FuzzTarget("type", "detection of the file type", seeds: samples) { bytes in
            _ = Sniffer.kind(of: bytes)
            _ = Sniffer.isSound(bytes)
        },
        FuzzTarget("jpeg", "JPEG segments, gain maps and embedded movies", seeds: samples) {
            describe(JPEGContainer.read($0), of: $0)
            _ = GainMapReader.jpeg($0)
        },
        FuzzTarget("heif", "HEIF, AVIF and CR3 boxes", seeds: samples) { bytes in
            describe(HEIFContainer.read(bytes), of: bytes)
            _ = GainMapReader.heif(bytes)
            var metadata = RawMetadata()
            CanonRAWContainer.read(bytes, into: &metadata)
        },
        FuzzTarget("png", "PNG chunks", seeds: samples) { describe(PNGContainer.read($0), of: $0) },
        FuzzTarget("containers", "WebP, GIF, BMP, Photoshop, JPEG 2000, TIFF", seeds: samples) {
            let readers = [
                WebPContainer.read, GIFContainer.read, BMPContainer.read, PhotoshopContainer.read,
                JPEG2000Container.read, TIFFContainer.read,
            ]
            for read in readers { describe(read($0), of: $0) }
        },
        FuzzTarget("tiff", "TIFF directories, thumbnails and maker notes", seeds: exifBlocks) {
            walk($0)
            _ = Thumbnail.jpeg(in: $0)
            _ = AppleMakerNote($0)
            var metadata = RawMetadata()
            metadata.readExif($0)
            facts(metadata, Container())
        },
        FuzzTarget("iptc", "IPTC data sets", seeds: samples) {
            var metadata = RawMetadata()
            metadata.readIPTC($0)
            facts(metadata, Container())
        },
        FuzzTarget("xmp", "XMP packets and sidecars", seeds: samples) { bytes in
            var metadata = RawMetadata()
            guard XMPDocument.read(bytes, into: &metadata) else { return }
            facts(metadata, Container())
        },
        FuzzTarget("plist", "property lists of adjustments", seeds: propertyLists) {
            guard let envelope = AdjustmentEnvelope($0) else { return }
            precondition(!envelope.formatIdentifier.isEmpty, "an envelope without a format")
        },
        FuzzTarget("movie", "movie boxes, transport streams and Windows Media", seeds: samples) {
            guard case .medium(let format, let type) = Sniffer.kind(of: $0), format.isMovie,
                let descriptor = memoryFile($0)
            else { return }
            defer { close(descriptor) }
            var facts = MediaFacts(format: format, contentType: type)
            _ = MovieReader.read(descriptor, head: $0, into: &facts)
            _ = try? MovieFactsReader.read(descriptor, format: format, type: type)
        },
    ]

    /// Reads all that a container points to, as the worker does.
    private static func describe(_ container: Container, of bytes: ByteView) {
        var metadata = RawMetadata()
        if let block = container.exif {
            walk(block)
            _ = Thumbnail.jpeg(in: block)
            metadata.readExif(block)
        }
        container.unpackedExif?.withUnsafeBytes { metadata.readExif(ByteView($0)) }
        for packet in container.xmp { _ = metadata.readXMP(packet) }
        for packet in container.unpackedXMP {
            _ = packet.withUnsafeBytes { metadata.readXMP(ByteView($0)) }
        }
        if let block = container.iptc { metadata.readIPTC(block) }
        container.unpackedIPTC?.withUnsafeBytes { metadata.readIPTC(ByteView($0)) }
        facts(metadata, container)
    }

    private static func facts(_ metadata: RawMetadata, _ container: Container) {
        for isBigEndian in [false, true] {
            var facts = MediaFacts(format: .jpeg, contentType: "public.jpeg")
            FactsReader(metadata: metadata, container: container, isBigEndian: isBigEndian)
                .read(into: &facts)
            // What a worker reports must reach the host.
            precondition((try? JSONEncoder().encode(facts)) != nil, "facts cannot be encoded")
        }
    }

    private static func walk(_ block: ByteView) {
        for directory in [TagDirectory.first(ofTIFF: block), TagDirectory.second(ofTIFF: block)] {
            guard let directory else { continue }
            for tag in directory.all.values {
                for index in 0..<4 {
                    _ = tag.integer(at: index)
                    _ = tag.double(at: index)
                }
            }
        }
    }

    /// Returns a file in memory that holds the bytes; the caller closes it.
    private static func memoryFile(_ bytes: ByteView) -> Int32? {
        let descriptor = cphotos_memory_file("photos-fuzz", bytes.count)
        guard descriptor >= 0 else { return nil }
        let written = pwrite(descriptor, bytes.bytes.baseAddress, bytes.count, 0)
        guard written == bytes.count else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    // MARK: - Seeds

    /// The sample files that are at most 64 KiB long, drawn once.
    private static let drawn = Result {
        try SampleSet.demo(count: 60, seed: 1, megapixels: 0.01).entries
            .map { try $0.file().data }.filter { $0.count <= 64 << 10 }
    }

    @Sendable private static func samples() throws -> [Data] { try drawn.get() }

    /// The TIFF blocks of the sample JPEGs.
    @Sendable private static func exifBlocks() throws -> [Data] {
        try samples().compactMap { data in
            data.withUnsafeBytes { JPEGContainer.read(ByteView($0)).exif.map { Data($0.bytes) } }
        }
    }

    @Sendable private static func propertyLists() throws -> [Data] {
        let envelope: [String: Any] = [
            "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.5",
            "adjustmentBaseVersion": 0, "adjustmentData": Data([1, 2, 3]),
            "adjustmentTimestamp": Date(timeIntervalSince1970: 0), "list": [1.5, true, "text"],
        ]
        return try [PropertyListSerialization.PropertyListFormat.binary, .xml].map {
            try PropertyListSerialization.data(fromPropertyList: envelope, format: $0, options: 0)
        }
    }
}
