import LibraryService
import PhotoModel
import Testing

@Suite struct ImageCodingTests {
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
                    ticket: "ticket"
                )
            )
        }
        try expectRoundTrip(ImageCancelRequest(tickets: ["a", "b"]))
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
        try expectRoundTrip(ImageDataRequest(assetUUID: "asset", version: .unadjusted))
        try expectRoundTrip(
            ImageDataReply(
                resource: SeamValues.resource(.photo),
                path: "/originals/a.jpg",
                orientation: .leftMirrored
            )
        )
    }
}
