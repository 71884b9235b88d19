import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct KeptMetadataTests {
    private func region(_ name: String?) -> ImageRegion {
        ImageRegion(name: name, type: "Face", x: 0.5, y: 0.5)
    }

    @Test func emptyOneIsFilled() {
        var other = KeptMetadata()
        #expect(other.isEmpty && other.place.isEmpty)
        other.label = "Red"
        other.people = ["Ann", "Ben"]
        other.regions = [region("Ann")]
        other.regionImageSize = PixelSize(width: 4, height: 3)
        other.keywordPaths = [["a", "b"]]
        other.place.city = "Rome"
        other.placeNames = ["Rome"]
        var metadata = KeptMetadata()
        metadata.fill(from: other)
        #expect(metadata == other && !metadata.isEmpty)
    }

    @Test func ownValuesComeFirst() {
        var own = KeptMetadata()
        own.label = "Blue"
        own.people = ["Ann"]
        own.regions = [region("Ann")]
        own.place.city = "Oslo"
        own.placeNames = ["Oslo"]
        var other = KeptMetadata()
        other.label = "Red"
        other.people = ["Ben", "Ann", "Ben"]
        other.regions = [region("Ann"), region("Ben"), region(nil)]
        other.place.city = "Rome"
        other.placeNames = ["Rome"]
        other.keywordPaths = [["a"], ["a"]]
        own.fill(from: other)
        #expect(own.label == "Blue" && own.people == ["Ann", "Ben"])
        #expect(own.regions.map(\.name) == ["Ann", "Ben"])
        #expect(own.place.city == "Oslo" && own.placeNames == ["Oslo"])
        #expect(own.keywordPaths == [["a"]])
    }
}
