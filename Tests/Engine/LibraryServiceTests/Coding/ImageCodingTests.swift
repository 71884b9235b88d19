import Foundation
import LibraryService
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct ImageCodingTests {
    @Test(arguments: ImageRequest.Quality.allCases)
    func requestKeepsEverything(_ quality: ImageRequest.Quality) throws {
        for version in ImageRequest.Version.allCases {
            try expectRoundTrip(
                ImageRequest(
                    assetUUID: "asset",
                    version: version,
                    shape: PixelShape(
                        size: PixelSize(width: 200, height: 100),
                        fitting: .exactFill
                    ),
                    quality: quality,
                    takesLarger: true,
                    ticket: CallTicket(number: 7)
                )
            )
        }
        for priority in ImageRequest.Priority.allCases { try expectRoundTrip(priority) }
        try expectRoundTrip(CancelRequest(tickets: [CallTicket(), CallTicket(number: .max)]))
    }

    @Test func repliesComeBack() throws {
        try expectRoundTrip(
            ImageReply(
                pixels: PixelBufferDescription(size: PixelSize(width: 3, height: 2)),
                hasAlpha: true,
                isDegraded: true,
                contentVersion: 7,
                path: "/originals/a.jpg",
                isInCloud: true
            )
        )
        try expectRoundTrip(MovieDataRequest(assetUUID: "asset", version: .original))
        try expectRoundTrip(
            MovieDataReply(resource: SeamValues.resource(.pairedVideo), path: "/originals/a.mov")
        )
        try expectRoundTrip(ImageDataRequest(assetUUID: "asset", version: .unadjusted))
        try expectRoundTrip(
            ImageDataReply(
                resource: SeamValues.resource(.photo),
                path: "/originals/a.jpg",
                orientation: .leftMirrored
            )
        )
    }

    @Test func readyImagesKeepEverything() throws {
        let request = ImageRequest(assetUUID: "asset", shape: PixelShape(), quality: .atHand)
        try expectRoundTrip(ReadyImagesRequest([request, request]))
        let stored = StoredImage(
            jpeg: Data([0xFF, 0xD8]),
            alpha: Data([0xFF, 0xD9]),
            whole: PixelSize(width: 4_000, height: 3_000),
            isDegraded: true,
            contentVersion: 7,
            path: "/originals/a.jpg",
            isInCloud: true
        )
        #expect(stored.length == 4)
        try expectRoundTrip(
            ReadyImagesReply(answers: [
                .rendition(stored), .unready, .failed(LibraryError(.missingResource, "None.")),
            ])
        )
    }

    @Test(
        "Renditions serve requests with a size and without high range",
        arguments: [
            (true, PixelRange.standard, ImageRequest.Quality.full, true),
            (true, .high(headroom: 0), .atHand, true), (true, .high(headroom: 0), .ready, false),
            (true, .high(headroom: 2), .full, false), (false, .standard, .atHand, false),
        ]
    )
    func takesRendition(_ row: (Bool, PixelRange, ImageRequest.Quality, Bool)) {
        let size = row.0 ? PixelSize(width: 9, height: 9) : nil
        let request = ImageRequest(
            assetUUID: "asset",
            shape: PixelShape(size: size),
            range: row.1,
            quality: row.2
        )
        #expect(request.takesRendition == row.3)
    }

    @Test func downloadsKeepEverything() throws {
        let files: [DownloadRequest.File] = [
            .resource("resource"), .image(assetUUID: "asset", version: .original),
            .movie(assetUUID: "asset", version: .adjustmentBase),
            .adjustments(assetUUID: "asset"),
        ]
        try expectRoundTrip(DownloadRequest(files, ticket: CallTicket(number: 7)))
        try expectRoundTrip(CloudStatesRequest(assetUUIDs: ["a", "b"]))
        try expectRoundTrip(
            CloudStatesReply(isCloudLibrary: true, states: CloudState.allCases + [nil])
        )
    }

    @Test func thumbnailsKeepEverything() throws {
        try expectRoundTrip(ThumbnailRequest(assetUUID: "asset"))
        try expectRoundTrip(
            ThumbnailReply(jpeg: Data([0xFF, 0xD8]), contentVersion: 7, isFinal: true)
        )
    }

    @Test func renditionsKeepEverything() throws {
        let size = RenditionStatusReply.SizeClass(side: 256, current: 7, outdated: 2)
        try expectRoundTrip(
            RenditionStatusReply(
                path: "/renditions.sqlite",
                bytes: 9,
                assets: 8,
                sizeClasses: [size]
            )
        )
        try expectRoundTrip(
            RenditionBuildRequest(side: 1_024, cursor: 3, limit: 5, ticket: CallTicket(number: 7))
        )
        let failure = RenditionBuildReply.Failure(
            localIdentifier: "asset/L0/001",
            error: LibraryError(.invalidResource, "It is damaged.")
        )
        try expectRoundTrip(
            RenditionBuildReply(assets: 2, made: ["asset/L0/001"], failures: [failure], next: 4)
        )
    }
}
