import Photos
import Testing

@Suite struct PHAssetTests {
    @Test func bareAssetsHaveNoValues() {
        #expect(PHAsset().localIdentifier.isEmpty)
    }
}
