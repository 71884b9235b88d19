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
                path: "/originals/a.jpg"
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
