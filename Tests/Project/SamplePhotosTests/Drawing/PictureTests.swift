import PhotoModel
import SamplePhotos
import Testing

@Suite(.timeLimit(.minutes(2))) struct PictureTests {
    private let size = PixelSize(width: 48, height: 36)

    @Test(arguments: SceneKind.allCases)
    func theSameSeedDrawsTheSame(_ kind: SceneKind) {
        let picture = Picture(kind, seed: 11)
        #expect(picture.drawn(size: size) == picture.drawn(size: size))
        #expect(picture.drawn(size: size) != Picture(kind, seed: 12).drawn(size: size))
    }

    @Test(arguments: SceneKind.allCases)
    func picturesHaveLightAndShade(_ kind: SceneKind) {
        let image = Picture(kind, seed: 4).drawn(size: size, grain: 0)
        #expect(Set(image.bytes).count > 20)
    }

    @Test(arguments: Orientation.allCases)
    func orientationTurnsTheStoredPixels(_ orientation: Orientation) {
        let picture = Picture(.flowers, seed: 2)
        let upright = picture.drawn(size: size, grain: 0)
        let stored = picture.drawn(size: size, orientation: orientation, grain: 0)
        #expect(stored.size == size.displayed(with: orientation))
        // EXIF states where row 0 and column 0 of the stored pixels are displayed.
        let rowIsTop = [.up, .upMirrored].contains(orientation)
        let rowIsBottom = [.down, .downMirrored].contains(orientation)
        let rowIsLeft = [.leftMirrored, .left].contains(orientation)
        let columnIsLeft = [.up, .downMirrored].contains(orientation)
        let columnIsRight = [.upMirrored, .down].contains(orientation)
        let columnIsTop = [.leftMirrored, .right].contains(orientation)
        for y in 0..<stored.size.height {
            for x in 0..<stored.size.width {
                let seenX =
                    columnIsLeft
                    ? x
                    : columnIsRight
                        ? size.width - 1 - x
                        : rowIsLeft ? y : size.width - 1 - y
                let seenY =
                    rowIsTop
                    ? y
                    : rowIsBottom
                        ? size.height - 1 - y
                        : columnIsTop ? x : size.height - 1 - x
                let there = (y * stored.size.width + x) * 3
                let here = (seenY * size.width + seenX) * 3
                guard stored.bytes[there] == upright.bytes[here] else {
                    Issue.record("\(orientation): (\(x), \(y)) is not (\(seenX), \(seenY))")
                    return
                }
            }
        }
    }

    @Test func shrinkingAverages() {
        let image = RGBImage(
            size: PixelSize(width: 2, height: 2),
            bytes: [0, 10, 20, 100, 30, 40, 0, 10, 20, 100, 30, 40]
        )
        let small = image.shrunk(by: 2)
        #expect(small.size == PixelSize(width: 1, height: 1))
        #expect(small.bytes == [50, 20, 30])
    }

    @Test func uuidsAreWellFormedAndDiffer() {
        var generator = SeededGenerator(seed: 1)
        let first = generator.uuid()
        #expect(
            first.wholeMatch(
                of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/
            ) != nil
        )
        #expect(first != generator.uuid())
        var again = SeededGenerator(seed: 1)
        #expect(first == again.uuid())
    }

    @Test func imagesOfTheWrongLengthStopTheProgram() async {
        await #expect(processExitsWith: .failure) {
            _ = RGBImage(size: PixelSize(width: 2, height: 2), bytes: [1, 2, 3])
        }
    }
}
