import CloudKeys
import CloudSync
import Crypto
import Foundation
import SamplePhotos
import TestSupport
import Testing

/// Files as blobs.
@Suite(.timeLimit(.minutes(3))) struct BlobTests {
    private static let frame = BlobLayout.frameSize
    private let folder: TemporaryFolder
    private let name = BlobName(device: CloudID(1, 2), id: CloudID(3, 4))

    init() throws { folder = try TemporaryFolder("photos-blobs") }

    private struct Sealed {
        var bytes: Data
        var record: BlobRecord
        var content: ContentID
    }

    private static func content(of data: Data) throws -> ContentID {
        try #require(ContentID(bytes: Array(SHA256.hash(data: data))))
    }

    /// Random bytes that depend on a seed.
    private static func data(_ count: Int, seed: UInt64 = 1) -> Data {
        var generator = SeededGenerator(seed: seed)
        var words = [UInt64](repeating: 0, count: (count + 7) / 8)
        for index in words.indices { words[index] = generator.next() }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }

    private func seal(_ data: Data, cipher: ObjectCipher = .aesGCM) throws -> Sealed {
        let (source, target) = (folder.file("plain"), folder.file("sealed"))
        try data.write(to: source)
        try Data().write(to: target)
        let input = try FileHandle(forReadingFrom: source)
        let output = try FileHandle(forUpdating: target)
        var generator = SeededGenerator(seed: 9)
        let content = try Self.content(of: data)
        let record = try BlobSealer.seal(
            input.fileDescriptor,
            to: output.fileDescriptor,
            as: name,
            content: content,
            cipher: cipher,
            using: &generator
        )
        return Sealed(bytes: try Data(contentsOf: target), record: record, content: content)
    }

    /// Decrypts an object that arrives in pieces.
    private func open(
        _ sealed: Sealed,
        as name: BlobName? = nil,
        content: ContentID? = nil,
        pieces: Int = 300_001
    ) throws -> Data {
        let target = folder.file("opened")
        try Data().write(to: target)
        let output = try FileHandle(forUpdating: target)
        var receiver = BlobReceiver(
            name ?? self.name,
            record: sealed.record,
            content: content ?? sealed.content,
            to: output.fileDescriptor
        )
        #expect(receiver.verified == 0)
        do {
            var rest = sealed.bytes[...]
            while !rest.isEmpty {
                try receiver.receive(rest.prefix(pieces))
                rest = rest.dropFirst(pieces)
                #expect(try Data(contentsOf: target).count == Int(receiver.verified))
            }
            try receiver.finish()
        } catch {
            // No byte of a refused object remains.
            #expect(try Data(contentsOf: target).isEmpty)
            throw error
        }
        #expect(receiver.verified == sealed.record.layout.size)
        return try Data(contentsOf: target)
    }

    /// Encrypts a file again as the object of a record.
    private func sealAgain(_ data: Data, _ sealed: Sealed) throws -> Data {
        let (source, target) = (folder.file("plain again"), folder.file("sealed again"))
        try data.write(to: source)
        try Data().write(to: target)
        let input = try FileHandle(forReadingFrom: source)
        let output = try FileHandle(forUpdating: target)
        defer { withExtendedLifetime((input, output)) {} }
        do {
            try BlobSealer.sealAgain(
                input.fileDescriptor,
                to: output.fileDescriptor,
                as: name,
                content: sealed.content,
                sealed.record
            )
        } catch {
            // Nothing that the key encrypted remains.
            #expect(try Data(contentsOf: target).isEmpty)
            throw error
        }
        return try Data(contentsOf: target)
    }

    /// Whatever cipher the first computer chose.
    @Test(arguments: ObjectCipher.allCases)
    func anObjectIsMadeAgain(_ cipher: ObjectCipher) throws {
        for count in [0, 1, Self.frame + 7] {
            let data = Self.data(count)
            let sealed = try seal(data, cipher: cipher)
            #expect(try sealAgain(data, sealed) == sealed.bytes)
        }
    }

    @Test func anotherFileIsNeverEncryptedWithAKeyThatWasUsed() throws {
        let sealed = try seal(Self.data(Self.frame + 7))
        for data in [Self.data(Self.frame + 7, seed: 2), Self.data(5), Data()] {
            expectRefusal([.wrongContent]) { _ = try sealAgain(data, sealed) }
        }
        // The right file, and a record with another key.
        var wrong = sealed
        var bytes = sealed.record.encoded
        bytes[9] ^= 1
        wrong.record = try BlobRecord(decoding: bytes, of: name)
        expectRefusal([.irreproducible]) { _ = try sealAgain(Self.data(Self.frame + 7), wrong) }
    }

    /// The pieces of an object may end anywhere.
    @Test(arguments: [1, 4, 5, 6, 100]) func piecesMayEndAnywhere(_ pieces: Int) throws {
        let data = Data("a small file".utf8)
        #expect(try open(seal(data), pieces: pieces) == data)
        #expect(try open(seal(Data()), pieces: pieces).isEmpty)
    }

    @Test(arguments: ObjectCipher.allCases)
    func filesSurvive(_ cipher: ObjectCipher) throws {
        let frame = Self.frame
        for count in [0, 1, 15, frame - 1, frame, frame + 1, 3 * frame, 3 * frame + 7] {
            let data = Self.data(count)
            let sealed = try seal(data, cipher: cipher)
            let layout = sealed.record.layout
            #expect(layout.size == Int64(count))
            #expect(layout.sealedSize == Int64(sealed.bytes.count))
            #expect(layout.frameCount == max(1, Int64((count + frame - 1) / frame)))
            #expect(try open(sealed) == data)
            #expect(Array(SHA256.hash(data: sealed.bytes)) == sealed.record.objectHash)
            let again = try BlobRecord(decoding: sealed.record.encoded, of: name)
            #expect(again == sealed.record)
        }
    }

    /// Frames can be read in any order.
    @Test func framesAreReadAlone() throws {
        let data = Self.data(3 * Self.frame + 100)
        let sealed = try seal(data)
        let layout = sealed.record.layout
        let opener = try BlobOpener(name, record: sealed.record, header: sealed.bytes.prefix(5))
        let target = folder.file("assembled")
        try Data(count: data.count).write(to: target)
        let output = try FileHandle(forUpdating: target)
        for number in [Int64(3), 0, 2, 1] {
            let range = layout.sealedRange(of: number)
            let bytes = Data(sealed.bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            let plain = try opener.open(bytes, frame: number)
            let place = layout.plainRange(of: number)
            #expect(plain == data[Int(place.lowerBound)..<Int(place.upperBound)])
            #expect(throws: CloudKeyError.self) {
                try opener.open(bytes, frame: (number + 1) % 4)
            }
            try output.seek(toOffset: UInt64(place.lowerBound))
            try output.write(contentsOf: plain)
        }
        try opener.verify(output.fileDescriptor, content: sealed.content)
        try output.seek(toOffset: 5)
        try output.write(contentsOf: [data[5] ^ 1])
        expectRefusal([.wrongContent]) {
            try opener.verify(output.fileDescriptor, content: sealed.content)
        }
        try output.truncate(atOffset: 5)
        expectRefusal([.wrongContent]) {
            try opener.verify(output.fileDescriptor, content: sealed.content)
        }
        for number in [Int64(-1), 4, .max] {
            expectRefusal([.damaged]) { _ = try opener.open(Data(), frame: number) }
        }
    }

    /// Returns a frame of an object, decrypted by its opener.
    private func frame(_ number: Int64, of sealed: Sealed) throws -> BlobFrame {
        let opener = try BlobOpener(name, record: sealed.record, header: sealed.bytes.prefix(5))
        let range = sealed.record.layout.sealedRange(of: number)
        let bytes = sealed.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        return try opener.frame(number, from: Array(bytes))
    }

    /// A caller can read an object frame by frame.
    @Test(arguments: ObjectCipher.allCases)
    func framesAreAccepted(_ cipher: ObjectCipher) throws {
        for count in [0, 1, Self.frame, 2 * Self.frame + 7] {
            let data = Self.data(count)
            let sealed = try seal(data, cipher: cipher)
            let target = folder.file("accepted")
            try Data().write(to: target)
            let output = try FileHandle(forUpdating: target)
            defer { withExtendedLifetime(output) {} }
            var receiver = BlobReceiver(
                name,
                record: sealed.record,
                content: sealed.content,
                to: output.fileDescriptor
            )
            while let number = receiver.nextFrame {
                try receiver.accept(frame(number, of: sealed))
            }
            try receiver.finish()
            #expect(receiver.verified == Int64(count))
            let isWhole = try Data(contentsOf: target) == data
            #expect(isWhole)
        }
    }

    /// Each frame is accepted once, in order; another one leaves no byte of the file.
    @Test(arguments: [[1], [0, 0], [0, 1, 1], [0, 1, 2, 2]] as [[Int64]])
    func otherFramesAreRefused(_ numbers: [Int64]) throws {
        let sealed = try seal(Self.data(2 * Self.frame + 7))
        let target = folder.file("accepted")
        try Data().write(to: target)
        let output = try FileHandle(forUpdating: target)
        defer { withExtendedLifetime(output) {} }
        var receiver = BlobReceiver(
            name,
            record: sealed.record,
            content: sealed.content,
            to: output.fileDescriptor
        )
        for number in numbers.dropLast() { try receiver.accept(frame(number, of: sealed)) }
        let last = try frame(numbers[numbers.count - 1], of: sealed)
        expectRefusal([.damaged]) { try receiver.accept(last) }
        #expect(try Data(contentsOf: target).isEmpty)
    }

    /// Continues a file that begins with the frames of an earlier download.
    private func resume(
        _ sealed: Sealed,
        _ beginning: Data,
        frames: Int64,
        pieces: Int = 300_001
    ) throws -> Data {
        let target = folder.file("resumed")
        try beginning.write(to: target)
        let output = try FileHandle(forUpdating: target)
        defer { withExtendedLifetime(output) {} }
        let layout = sealed.record.layout
        var receiver = BlobReceiver(
            name,
            record: sealed.record,
            content: sealed.content,
            to: output.fileDescriptor
        )
        do {
            try receiver.keepFrames(upTo: frames)
            #expect(receiver.verified == min(frames * Int64(Self.frame), layout.size))
            var rest = Data()
            if frames < layout.frameCount {
                let start = Int(layout.sealedRange(of: frames).lowerBound)
                rest = sealed.bytes.prefix(BlobLayout.headerSize) + sealed.bytes.dropFirst(start)
            }
            while !rest.isEmpty {
                try receiver.receive(rest.prefix(pieces))
                rest = rest.dropFirst(pieces)
            }
            try receiver.finish()
        } catch {
            // No byte of a refused object remains.
            #expect(try Data(contentsOf: target).isEmpty)
            throw error
        }
        return try Data(contentsOf: target)
    }

    @Test(arguments: Int64(0)...4) func aReceiverContinuesAfterTheKeptFrames(kept: Int64) throws {
        let data = Self.data(3 * Self.frame + 100)
        let sealed = try seal(data)
        let beginning = data.prefix(Int(kept) * Self.frame)
        #expect(sealed.record.layout.wholeFrames(in: Int64(beginning.count)) == kept)
        for pieces in [300_001, data.count + 1_000] {
            let isWhole = try resume(sealed, beginning, frames: kept, pieces: pieces) == data
            #expect(isWhole)
        }
    }

    /// Kept bytes are not trusted.
    @Test(arguments: Int64(1)...4) func alteredKeptFramesAreRefused(kept: Int64) throws {
        let data = Self.data(3 * Self.frame + 100)
        let sealed = try seal(data)
        let beginning = data.prefix(Int(kept) * Self.frame)
        for position in [0, beginning.count / 2, beginning.count - 1] {
            var altered = beginning
            altered[position] ^= 1
            expectRefusal([.wrongContent]) { _ = try resume(sealed, altered, frames: kept) }
        }
        expectRefusal([.damaged]) { _ = try resume(sealed, beginning.dropLast(), frames: kept) }
    }

    @Test func onlyWholeFramesAreKept() throws {
        let frame = Int64(Self.frame)
        let layout = try #require(BlobLayout(size: 2 * frame + 7))
        let size = layout.size
        let counts: [Int64] = [
            -1, 0, 1, frame - 1, frame, frame + 1, 2 * frame, size - 1, size, size + 1, .max,
        ]
        let frames = counts.map { layout.wholeFrames(in: $0) }
        #expect(frames == [0, 0, 0, 0, 1, 1, 2, 2, 3, 0, 0])
        #expect(try #require(BlobLayout(size: 0)).wholeFrames(in: 0) == 0)
    }

    @Test func cutExtendedAndReorderedObjectsAreRefused() throws {
        let sealed = try seal(Self.data(3 * Self.frame))
        let size = Self.frame + 16
        let frames = (0..<3).map { sealed.bytes[5 + $0 * size..<5 + ($0 + 1) * size] }
        let header = sealed.bytes.prefix(5)
        let copies: [Data] = [
            Data(), header, header + frames[0], header + frames[0] + frames[1],
            header + frames[1] + frames[0] + frames[2], header + frames[0] + frames[0] + frames[2],
            header + frames[0] + frames[2] + frames[1], sealed.bytes + frames[2],
            sealed.bytes + [0], sealed.bytes.dropLast(),
        ]
        for bytes in copies {
            var copy = sealed
            copy.bytes = bytes
            expectRefusal([.damaged]) { _ = try open(copy) }
        }
        // A record that claims fewer frames, so that the size fits the cut object.
        let short = try seal(Self.data(2 * Self.frame)).record
        let claimed = try BlobRecord(
            decoding: Array(short.encoded.prefix(9)) + sealed.record.encoded.dropFirst(9),
            of: name
        )
        let cut = Sealed(
            bytes: header + frames[0] + frames[1],
            record: claimed,
            content: sealed.content
        )
        expectRefusal([.damaged]) { _ = try open(cut) }
    }

    @Test func everyFlippedByteIsRefused() throws {
        for data in [Data(), Data("a small file".utf8)] {
            for cipher in ObjectCipher.allCases {
                let sealed = try seal(data, cipher: cipher)
                for (_, flipped) in Damage.flips(of: Array(sealed.bytes)) {
                    var copy = sealed
                    copy.bytes = Data(flipped)
                    expectRefusal([.damaged, .laterVersion]) { _ = try open(copy) }
                }
            }
        }
    }

    @Test func aBlobHasOneName() throws {
        let sealed = try seal(Data("a small file".utf8))
        expectRefusal([.damaged]) {
            _ = try open(sealed, as: BlobName(device: name.device, id: CloudID(3, 5)))
        }
        expectRefusal([.wrongContent]) {
            _ = try open(sealed, content: Self.content(of: Data("another".utf8)))
        }
    }

    /// Encrypts a text into a file.
    private func seal(
        _ text: String,
        claiming content: String,
        to file: String = "sealed",
        isWritable: Bool = true
    ) throws -> BlobRecord {
        let (source, target) = (folder.file("plain"), folder.file(file))
        try Data(text.utf8).write(to: source)
        try Data().write(to: target)
        let input = try FileHandle(forReadingFrom: source)
        let output =
            isWritable
            ? try FileHandle(forUpdating: target) : try FileHandle(forReadingFrom: target)
        var generator = SystemRandomNumberGenerator()
        return try BlobSealer.seal(
            input.fileDescriptor,
            to: output.fileDescriptor,
            as: name,
            content: Self.content(of: Data(content.utf8)),
            using: &generator
        )
    }

    /// An original that changed since it was imported is not stored under its old hash.
    @Test func aChangedOriginalIsNotStored() throws {
        expectRefusal([.wrongContent]) { _ = try seal("changed", claiming: "original") }
        #expect(try Data(contentsOf: folder.file("sealed")).isEmpty)
        expectRefusal([.inputOutput]) {
            _ = try seal("original", claiming: "original", isWritable: false)
        }
    }

    /// Two encryptions of one file share neither key nor bytes.
    @Test func eachBlobHasItsOwnKey() throws {
        let first = try seal("one file", claiming: "one file")
        let second = try seal("one file", claiming: "one file", to: "again")
        #expect(first.key != second.key)
        #expect(first.objectHash != second.objectHash)
    }

    @Test func recordsAreChecked() throws {
        let record = try seal(Data()).record.encoded
        for count in 0..<record.count {
            #expect(throws: CloudKeyError.self) {
                try BlobRecord(decoding: Array(record.prefix(count)), of: name)
            }
        }
        var large = record
        for index in 1..<9 { large[index] = 255 }
        expectRefusal([.damaged]) { _ = try BlobRecord(decoding: large, of: name) }
        expectRefusal([.laterVersion]) {
            _ = try BlobRecord(decoding: [2] + record.dropFirst(), of: name)
        }
    }

    /// Sizes far beyond what a test can write.
    @Test func layoutsAreConsistent() throws {
        let seed = TestSeed()
        var generator = seed.generator
        #expect(BlobLayout(size: -1) == nil)
        #expect(BlobLayout(size: .max) == nil)
        for _ in 0..<1_000 {
            let size =
                Int64.random(in: 0...BlobLayout.maximumSize, using: &generator)
                >> Int64.random(in: 0...47, using: &generator)
            let layout = try #require(BlobLayout(size: size))
            let number = Int64.random(in: 0..<layout.frameCount, using: &generator)
            #expect(layout.sealedRange(of: 0).lowerBound == 5, seed.comment)
            let last = layout.frameCount - 1
            #expect(layout.sealedRange(of: last).upperBound == layout.sealedSize, seed.comment)
            #expect(layout.plainRange(of: last).upperBound == size, seed.comment)
            let (plain, sealed) = (layout.plainRange(of: number), layout.sealedRange(of: number))
            #expect(sealed.count == plain.count + 16, seed.comment)
        }
    }
}
