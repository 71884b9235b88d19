import Foundation
import PhotoModel
import Testing
import WorkerProtocol

/// Messages in both directions, as they are sent.
@Suite(.timeLimit(.minutes(1))) struct MessageTests {
    private static func roundTrip<Value: Codable & Equatable>(
        _ value: Value,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let data = try JSONEncoder().encode([value])
        let again = try JSONDecoder().decode([Value].self, from: data)
        #expect(again == [value], sourceLocation: sourceLocation)
    }

    private static let size = PixelSize(width: 4, height: 3)
    private static let entry = ArchiveEntry(
        name: "T/a.jpg",
        size: 5,
        crc: 7,
        modificationTime: -1,
        place: .zip(header: 1, length: 2, isDeflated: true)
    )
    private static var position: InflatePosition {
        var position = InflatePosition(input: 9, isAtHeader: true)
        position.window = Data([1, 2])
        position.crc = .max
        return position
    }

    private static let memoryRequests: [WorkerRequest] = [
        .probe(ProbeRequest(filename: "ä.jpg", renditionSide: 256, wantsTags: true)),
        .decode(
            DecodeRequest(
                shape: PixelShape(size: size, fitting: .exactFill),
                layout: .rgba,
                colors: .displayP3,
                moment: DecodeRequest.Moment(time: .zero, isTurned: true)
            )
        ),
        .adjustments,
        .encode(
            EncodeRequest(
                format: .jpeg(quality: 90),
                pixels: PixelBufferDescription(size: size),
                hasAlpha: false,
                orientation: .right
            )
        ),
        .render(
            PictureRendering(
                recipe: PictureRecipe(steps: [.init(.source(0)), .init(.blur(sigma: 2), of: [0])]),
                sources: [.file(size)],
                region: RecipeRectangle(size),
                output: .heif(quality: 60),
                colors: .sRGB
            )
        ),
    ]

    private static let plainRequests: [WorkerRequest] = [
        .hello(version: 3, limits: .standard),
        .probe(ProbeRequest(filename: "a", renditionSide: 0)), .source, .memory, .movieFacts,
        .convert(MovieConversion(container: .mp4, video: .drop, audio: .encodeAAC(volume: 0.5))),
        .output, .archivePage(.start), .archivePage(.tar(position, header: 512)),
        .archivePage(.directory(offset: 1, end: 2, base: 3, remaining: 4)),
        .archivePage(.headers(offset: 8)), .archivePage(.tarEnd(position)),
        .extract(ArchiveExtraction(entry: entry, position: position, done: 3)), .takeout,
        .frameMemory, .drawnFrame(nil), .drawnFrame(size), .readLibrary, .readExport,
        .libraryPart(.faces), .libraryLog, .nextRecords(7), .readAgain, .cancel,
    ]

    @Test func requestsWithMemoryAreThoseWithPixels() {
        for request in Self.memoryRequests { #expect(request.hasMemory, "\(request)") }
        for request in Self.plainRequests { #expect(!request.hasMemory, "\(request)") }
    }

    @Test func requestsArriveAsTheyWere() throws {
        for request in Self.memoryRequests + Self.plainRequests { try Self.roundTrip(request) }
    }

    private static var facts: MediaFacts {
        var facts = MediaFacts(format: .jpeg, contentType: "public.jpeg")
        facts.dates = [WrittenDate(source: .exifOriginal, text: "2024:01:01 00:00:00")]
        facts.movie = MovieSummary(duration: 2.5)
        facts.tags = [
            WrittenTag(directory: .photo, number: 0x9003, value: .text("x")),
            WrittenTag(directory: .gps, number: 2, value: .numbers([1, 2.5])),
        ]
        return facts
    }

    @Test func repliesArriveAsTheyWere() throws {
        var takeout = TakeoutFacts(kind: .asset)
        takeout.people = ["Ann"]
        takeout.takenSeconds = -5
        let page = ArchivePage(
            items: [
                .file(Self.entry, reading: .facts(takeout)),
                .refused(name: "..", reason: "It leaves the folder."),
            ],
            next: .headers(offset: 9),
            problem: "It is cut short.",
            verified: 512,
            isDamaged: true
        )
        let decoded = DecodedFacts(
            format: .heic,
            contentType: "public.heic",
            fullSize: Self.size,
            hasAlpha: true,
            damage: "A part is missing.",
            gainMap: GainMap(.share(ofHeadroom: 2), capacity: 0...3),
            time: MovieTime(value: 1, timescale: 30)
        )
        let frame = MovieFrameFacts(size: Self.size, colors: .displayP3, time: .zero)
        let report = MovieConversionReport(duration: .zero, videoCodec: "h264", bytes: 9)
        let replies: [WorkerReply] = [
            .hello(version: 1, sandbox: SandboxReport(landlockABI: 3, hasSeccomp: true)),
            .probed(Self.facts, firstRendition: PixelBufferDescription(size: Self.size)),
            .probed(Self.facts, firstRendition: nil),
            .decoded(decoded, PixelBufferDescription(size: Self.size, layout: .rgbaHalf)),
            .encoded(length: 5), .rendered(.init(size: Self.size), hasAlpha: true),
            .failedSource(1, reason: "R."),
            .adjustments(formatIdentifier: "a", formatVersion: "1", length: 3),
            .movieFacts(
                MovieFacts(containerType: "public.mpeg-4", tracks: [.init(id: 1, kind: .video)])
            ),
            .progress(0.5), .frame(frame), .frameWritten, .converted(report),
            .records(ForeignBatch(records: Self.records, isLast: true)), .archivePage(page),
            .extracted(ArchiveProgress(done: 4, position: Self.position)),
            .takeout(.facts(takeout)), .cancelled, .unsupported(reason: "U."),
            .failed(reason: "F."), .unwritable(reason: "W."), .ended(reason: "E."),
        ]
        for reply in replies { try Self.roundTrip(reply) }
    }

    private static var records: [ForeignRecord] {
        var asset = ForeignAsset(item: "1", uuid: nil, originalFilename: "a.heic")
        asset.subtypes = [.live, .hdr]
        asset.people = [ForeignPerson(name: "Ann", region: [0.1, 0.2, 0.3, 0.4])]
        asset.burst = ForeignBurst(identifier: "B")
        asset.edit = ForeignEdit()
        asset.notes = [ForeignNote(code: "c", text: "t")]
        let file = StatedFile(
            uuid: nil,
            type: .photo,
            originalFilename: "a.heic",
            contentType: "public.heic",
            size: 5,
            sha256: "00",
            pixelSize: size,
            isOfEdit: false
        )
        asset.resources = [
            ForeignResource(.original, [.path("o/a"), .name("a", below: "o")], isExpected: true),
            ForeignResource(.proxy, [.prefix("p/a")], isExpected: false, volume: "Disk"),
        ]
        asset.resources[0].stated = file
        var counts = ForeignCounts(generation: "photos", model: 18)
        counts.collections = ["album": 3]
        return [
            .counts(counts), .asset(asset),
            .collection(
                ForeignCollection(item: "2", uuid: "U", kind: .sharedAlbum, title: "T", parent: nil)
            ),
            .members(ForeignMembers(collection: "2", assets: ["1"])),
            .broken(ForeignProblem(item: nil, reason: "R.", isAsset: true)),
        ]
    }

    @Test func messagesOfForkServersArriveAsTheyWere() throws {
        try Self.roundTrip(ForkRequest.fork)
        for reply in [ForkReply.forked(.max), .failed(11)] { try Self.roundTrip(reply) }
    }

    @Test func messagesOfDevicesArriveAsTheyWere() throws {
        let address = DeviceAddress(model: "Camera", port: "usb:001,002")
        let page = DevicePage(
            folders: [Data("DCIM".utf8)],
            files: [DeviceFile(name: Data([0xFF]), size: nil, time: 5)],
            refused: 1,
            next: 250
        )
        let requests: [DeviceRequest] = [
            .hello(version: DeviceProtocolVersion.current, folder: nil), .devices, .open(address),
            .list(folder: Data("/".utf8), from: 3),
            .read(folder: Data(), name: Data("a".utf8), limit: 9),
        ]
        for request in requests { try Self.roundTrip(request) }
        let replies: [DeviceReply] = [
            .hello(version: 1, sandbox: SandboxReport(landlockABI: 0, hasSeccomp: false)),
            .devices([address]), .opened(serial: nil), .page(page), .progress(3), .read(4),
            .failed(DeviceFailure(.lost, "The cable.")),
        ]
        for reply in replies { try Self.roundTrip(reply) }
    }

    @Test func namesOfDevicesCannotLeaveTheirFolder() {
        let limit = DevicePage.maximumName
        for name in ["a", "..a", "ä", "a b", String(repeating: "x", count: limit)] {
            #expect(DevicePage.isUsable(Data(name.utf8)), "\(name)")
        }
        let refused = [
            "", ".", "..", "a/b", "/", "a\u{0}b", String(repeating: "x", count: limit + 1),
        ]
        for name in refused { #expect(!DevicePage.isUsable(Data(name.utf8)), "\(name)") }
    }

    @Test func formatsAreOfOneKind() {
        let movies = MediaFormat.allCases.filter(\.isMovie)
        #expect(movies.contains(.mov) && !movies.contains(.heic))
        #expect(MediaFormat.allCases.filter(\.isSidecar) == [.aae, .xmp])
        #expect(MediaFormat.allCases.filter(\.isBoxedMovie) == [.mov, .mp4, .m4v, .threeGP])
        #expect(movies.count == 9)
    }

    @Test func unreadableFactsKeepTheReason() {
        var facts = Self.facts
        #expect(facts.hasReadableHeader && !facts.isComplete)
        facts.markUnreadable("It is damaged.")
        #expect(!facts.hasReadableHeader && facts.warnings == ["It is damaged."])
    }
}
