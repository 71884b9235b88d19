import Foundation
import PhotoModel

/// Writes JPEG frames to a QuickTime file ("QuickTime File Format Specification", Apple, 2016).
///
/// The file is `ftyp`, `mdat` with the frames, `moov`. A repeated frame is stored once: each sample
/// is a separate chunk, and chunks may share an offset.
struct QuickTimeWriter {
    let movie: SampleMovie
    /// The distinct frames, each shown for an equal share of the movie.
    let frames: [Data]

    private static let fileType: [UInt8] = Array("qt  \0\0\0\0qt  ".utf8)
    private static let soundRate = 8_000
    private static let timescale = 600

    var data: Data {
        var file = box("ftyp") { $0.append(Self.fileType) }
        let start = file.count + 8
        let sound = Data(count: movie.hasSound ? soundSamples * 2 : 0)
        file += box("mdat") { writer in
            for frame in frames { writer.append(frame) }
            writer.append(sound)
            if movie.stillTime != nil { writer.append(stillSample) }
        }
        var offsets: [Int] = []
        var position = start
        for frame in frames {
            offsets.append(position)
            position += frame.count
        }
        file += box("moov") { writer in
            writer.append(movieHeader)
            writer.append(videoTrack(offsets: offsets))
            if movie.hasSound { writer.append(soundTrack(offset: position)) }
            if let time = movie.stillTime {
                writer.append(stillTrack(at: time, offset: position + sound.count))
            }
            if !keys.isEmpty { writer.append(metadataBox) }
        }
        return file
    }

    // MARK: - Times

    private var soundSamples: Int { Int(movie.duration * Double(Self.soundRate)) }

    /// The creation date in seconds since 1904, QuickTime's epoch.
    private var created: UInt32 {
        movie.created.map { UInt32(clamping: Int($0.timeIntervalSince1970) + 2_082_844_800) } ?? 0
    }

    private var movieDuration: UInt32 {
        UInt32(movie.frameCount * Self.timescale / movie.frameRate)
    }

    // MARK: - Boxes

    private var movieHeader: Data {
        box("mvhd", version: 0) { writer in
            writer.append(created)
            writer.append(created)
            writer.append(UInt32(Self.timescale))
            writer.append(movieDuration)
            writer.append(UInt32(0x0001_0000))
            writer.append(UInt16(0x0100))
            writer.append([UInt8](repeating: 0, count: 10))
            appendMatrix(.up, to: &writer)
            writer.append([UInt8](repeating: 0, count: 24))
            writer.append(UInt32(4))
        }
    }

    private func videoTrack(offsets: [Int]) -> Data {
        let stored = storedSize
        return box("trak") { writer in
            writer.append(trackHeader(identifier: 1, stored: stored, volume: 0))
            writer.append(
                box("mdia") { media in
                    media.append(
                        mediaHeader(
                            timescale: movie.frameRate * 100,
                            duration: movie.frameCount * 100
                        )
                    )
                    media.append(handler(type: "mhlr", subtype: "vide"))
                    media.append(
                        box("minf") { information in
                            information.append(
                                box("vmhd", version: 1) {
                                    $0.append([0, 0x40, 128, 0, 128, 0, 128, 0])
                                }
                            )
                            information.append(dataInformation)
                            information.append(videoTable(stored: stored, offsets: offsets))
                        }
                    )
                }
            )
        }
    }

    private func videoTable(stored: PixelSize, offsets: [Int]) -> Data {
        let count = movie.frameCount
        let shown = (0..<count).map { $0 * frames.count / count }
        return box("stbl") { writer in
            writer.append(
                box("stsd", version: 0) { description in
                    description.append(UInt32(1))
                    description.append(sampleDescription(stored: stored))
                }
            )
            writer.append(table("stts", [UInt32(count), 100], entries: 1))
            writer.append(table("stsc", [1, 1, 1], entries: 1))
            writer.append(
                box("stsz", version: 0) { sizes in
                    sizes.append(UInt32(0))
                    sizes.append(UInt32(count))
                    for index in shown { sizes.append(UInt32(frames[index].count)) }
                }
            )
            writer.append(table("stco", shown.map { UInt32(offsets[$0]) }, entries: count))
        }
    }

    private func sampleDescription(stored: PixelSize) -> Data {
        box("jpeg") { writer in
            writer.append([0, 0, 0, 0, 0, 0, 0, 1])
            writer.append([UInt8](repeating: 0, count: 16))
            writer.append(UInt16(stored.width))
            writer.append(UInt16(stored.height))
            writer.append(UInt32(0x0048_0000))
            writer.append(UInt32(0x0048_0000))
            writer.append(UInt32(0))
            writer.append(UInt16(1))
            let name = "Photo - JPEG"
            writer.append(UInt8(name.utf8.count))
            writer.append(ascii: name)
            writer.append([UInt8](repeating: 0, count: 31 - name.utf8.count))
            writer.append(UInt16(24))
            writer.append(Int16(-1))
        }
    }

    private func soundTrack(offset: Int) -> Data {
        let count = soundSamples
        let table = box("stbl") { writer in
            writer.append(
                box("stsd", version: 0) { description in
                    description.append(UInt32(1))
                    description.append(
                        box("twos") { sound in
                            sound.append([0, 0, 0, 0, 0, 0, 0, 1])
                            sound.append([UInt8](repeating: 0, count: 8))
                            sound.append(UInt16(1))
                            sound.append(UInt16(16))
                            sound.append(UInt32(0))
                            sound.append(UInt32(Self.soundRate << 16))
                        }
                    )
                }
            )
            writer.append(self.table("stts", [UInt32(count), 1], entries: 1))
            writer.append(self.table("stsc", [1, UInt32(count), 1], entries: 1))
            writer.append(
                box("stsz", version: 0) { sizes in
                    sizes.append(UInt32(2))
                    sizes.append(UInt32(count))
                }
            )
            writer.append(self.table("stco", [UInt32(offset)], entries: 1))
        }
        return box("trak") { writer in
            writer.append(
                trackHeader(identifier: 2, stored: PixelSize(width: 0, height: 0), volume: 0x0100)
            )
            writer.append(
                box("mdia") { media in
                    media.append(mediaHeader(timescale: Self.soundRate, duration: count))
                    media.append(handler(type: "mhlr", subtype: "soun"))
                    media.append(
                        box("minf") { information in
                            information.append(box("smhd", version: 0) { $0.append(UInt32(0)) })
                            information.append(dataInformation)
                            information.append(table)
                        }
                    )
                }
            )
        }
    }

    // MARK: - Time of the still

    private static let stillKey = "com.apple.quicktime.still-image-time"

    /// The sample of the still track: its length, the key's number, and a meaningless value.
    private var stillSample: [UInt8] { [0, 0, 0, 9, 0, 0, 0, 1, 0xff] }

    /// Appends a track whose only sample starts at the time of the still, as iPhones write it.
    private func stillTrack(at seconds: Double, offset: Int) -> Data {
        let start = UInt32((seconds * Double(Self.timescale)).rounded())
        let description = box("mebx") { entry in
            entry.append([0, 0, 0, 0, 0, 0, 0, 1])
            entry.append(
                box("keys") { keys in
                    let name = box("keyd") { $0.append(ascii: "mdta" + Self.stillKey) }
                    let type = box("dtyp") { $0.append([0, 0, 0, 0, 0, 0, 0, 65]) }
                    keys.append(UInt32(8 + name.count + type.count))
                    keys.append(UInt32(1))
                    keys.append(name)
                    keys.append(type)
                }
            )
        }
        let table = box("stbl") { writer in
            writer.append(
                box("stsd", version: 0) { descriptions in
                    descriptions.append(UInt32(1))
                    descriptions.append(description)
                }
            )
            writer.append(self.table("stts", [1, 1], entries: 1))
            writer.append(self.table("stsc", [1, 1, 1], entries: 1))
            writer.append(
                box("stsz", version: 0) { sizes in
                    sizes.append(UInt32(stillSample.count))
                    sizes.append(UInt32(1))
                }
            )
            writer.append(self.table("stco", [UInt32(offset)], entries: 1))
        }
        return box("trak") { writer in
            writer.append(
                trackHeader(
                    identifier: 3,
                    stored: PixelSize(width: 0, height: 0),
                    volume: 0,
                    duration: start + 1
                )
            )
            writer.append(
                box("edts") { edits in
                    let nothing = [start, UInt32.max, 0x0001_0000]
                    edits.append(self.table("elst", nothing + [1, 0, 0x0001_0000], entries: 2))
                }
            )
            // It refers to the video track.
            writer.append(box("tref") { $0.append(box("cdsc") { $0.append(UInt32(1)) }) })
            writer.append(
                box("mdia") { media in
                    media.append(mediaHeader(timescale: Self.timescale, duration: 1))
                    media.append(handler(type: "mhlr", subtype: "meta"))
                    media.append(
                        box("minf") { information in
                            information.append(
                                box("gmhd") { header in
                                    header.append(
                                        box("gmin", version: 0) {
                                            $0.append([0, 0x40, 128, 0, 128, 0, 128, 0, 0, 0, 0, 0])
                                        }
                                    )
                                }
                            )
                            information.append(dataInformation)
                            information.append(table)
                        }
                    )
                }
            )
        }
    }

    private func trackHeader(
        identifier: UInt32,
        stored: PixelSize,
        volume: UInt16,
        duration: UInt32? = nil
    ) -> Data {
        box("tkhd", version: 0, flags: 7) { writer in
            writer.append(created)
            writer.append(created)
            writer.append(identifier)
            writer.append(UInt32(0))
            writer.append(duration ?? movieDuration)
            writer.append([UInt8](repeating: 0, count: 12))
            writer.append(volume)
            writer.append(UInt16(0))
            appendMatrix(stored.width > 0 ? orientation : .up, to: &writer)
            writer.append(UInt32(stored.width << 16))
            writer.append(UInt32(stored.height << 16))
        }
    }

    private func mediaHeader(timescale: Int, duration: Int) -> Data {
        box("mdhd", version: 0) { writer in
            writer.append(created)
            writer.append(created)
            writer.append(UInt32(timescale))
            writer.append(UInt32(duration))
            writer.append(UInt16(0x55C4))
            writer.append(UInt16(0))
        }
    }

    private func handler(type: String, subtype: String) -> Data {
        box("hdlr", version: 0) { writer in
            writer.append(ascii: type == "mdta" ? "\0\0\0\0" : type)
            writer.append(ascii: subtype)
            writer.append([UInt8](repeating: 0, count: 12))
            writer.append(UInt8(0))
        }
    }

    private var dataInformation: Data {
        box("dinf") { writer in
            writer.append(
                box("dref", version: 0) { references in
                    references.append(UInt32(1))
                    references.append(box("url ", version: 0, flags: 1) { _ in })
                }
            )
        }
    }

    // MARK: - Metadata

    /// The keys in the order in which they are written.
    private var keys: [(String, SampleMovie.KeyValue)] {
        var keys: [(String, SampleMovie.KeyValue)] = []
        func add(_ name: String, _ text: String?) {
            if let text { keys.append(("com.apple.quicktime." + name, .text(text))) }
        }
        let metadata = movie.metadata
        add("content.identifier", metadata.contentIdentifier)
        add("creationdate", metadata.date?.quickTimeText)
        add("location.ISO6709", metadata.location.map(Self.iso6709))
        add("make", metadata.make)
        add("model", metadata.model)
        add("software", metadata.software)
        add("title", metadata.title)
        keys += movie.keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return keys
    }

    // QuickTime's `meta`, unlike MP4's, has no version field.
    private var metadataBox: Data {
        box("meta") { writer in
            writer.append(handler(type: "mdta", subtype: "mdta"))
            writer.append(
                box("keys", version: 0) { names in
                    names.append(UInt32(keys.count))
                    for (name, _) in keys {
                        names.append(UInt32(8 + name.utf8.count))
                        names.append(ascii: "mdta" + name)
                    }
                }
            )
            writer.append(
                box("ilst") { list in
                    for (index, key) in keys.enumerated() {
                        let item = dataBox(key.1)
                        list.append(UInt32(8 + item.count))
                        list.append(UInt32(index + 1))
                        list.append(item)
                    }
                }
            )
        }
    }

    private func dataBox(_ value: SampleMovie.KeyValue) -> Data {
        box("data") { writer in
            switch value {
            case .text(let text):
                writer.append(UInt32(1))
                writer.append(UInt32(0))
                writer.append(ascii: text)
            case .integer(let number):
                writer.append(UInt32(21))
                writer.append(UInt32(0))
                writer.append(number)
            }
        }
    }

    /// Formats a location as `+DD.DDDD+DDD.DDDD+AAA.AAA/`, as iPhones do.
    static func iso6709(_ location: Location) -> String {
        func signed(_ value: Double, whole: Int, fraction: Int) -> String {
            let scale = Int(pow(10, Double(fraction)))
            let scaled = Int((abs(value) * Double(scale)).rounded())
            return (value < 0 ? "-" : "+") + SampleDate.digits(scaled / scale, whole) + "."
                + SampleDate.digits(scaled % scale, fraction)
        }
        return signed(location.latitude, whole: 2, fraction: 4)
            + signed(location.longitude, whole: 3, fraction: 4)
            + (location.altitude.map { signed($0, whole: 3, fraction: 3) } ?? "") + "/"
    }

    // MARK: - Rotating

    private var orientation: Orientation { movie.metadata.orientation ?? .up }
    private var storedSize: PixelSize { movie.size.displayed(with: orientation) }

    /// Appends the matrix that turns stored pixels upright and moves them back into the picture.
    private func appendMatrix(_ orientation: Orientation, to writer: inout ByteWriter) {
        let width = Int32(storedSize.width)
        let height = Int32(storedSize.height)
        let one: Int32 = 0x0001_0000
        let (a, b, c, d, x, y): (Int32, Int32, Int32, Int32, Int32, Int32) =
            switch orientation {
            case .up: (one, 0, 0, one, 0, 0)
            case .upMirrored: (-one, 0, 0, one, width, 0)
            case .down: (-one, 0, 0, -one, width, height)
            case .downMirrored: (one, 0, 0, -one, 0, height)
            case .leftMirrored: (0, one, one, 0, 0, 0)
            case .right: (0, one, -one, 0, height, 0)
            case .rightMirrored: (0, -one, -one, 0, height, width)
            case .left: (0, -one, one, 0, 0, width)
            }
        for value in [a, b, 0, c, d, 0, x << 16, y << 16, 0x4000_0000] { writer.append(value) }
    }

    // MARK: - Building

    private func box(_ type: String, _ body: (inout ByteWriter) -> Void) -> Data {
        var content = ByteWriter()
        body(&content)
        var writer = ByteWriter()
        writer.append(UInt32(content.count + 8))
        writer.append(ascii: type)
        writer.append(content.data)
        return writer.data
    }

    private func box(
        _ type: String,
        version: UInt8,
        flags: UInt32 = 0,
        _ body: (inout ByteWriter) -> Void
    ) -> Data {
        box(type) { writer in
            writer.append(UInt32(version) << 24 | flags)
            body(&writer)
        }
    }

    private func table(_ type: String, _ values: [UInt32], entries: Int) -> Data {
        box(type, version: 0) { writer in
            writer.append(UInt32(entries))
            for value in values { writer.append(value) }
        }
    }
}
