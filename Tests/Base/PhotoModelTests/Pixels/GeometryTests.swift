import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct GeometryTests {
    @Test func sidesAreSwappedForQuarterTurns() {
        let size = PixelSize(width: 3, height: 2)
        for orientation in Orientation.allCases {
            let turned = orientation.rawValue > 4
            #expect(orientation.swapsSides == turned)
            #expect(
                size.displayed(with: orientation)
                    == (turned ? PixelSize(width: 2, height: 3) : size)
            )
        }
    }

    @Test func turnsHaveTheirOrientation() {
        let expected: [(Int, Bool, Orientation)] = [
            (0, false, .up), (1, false, .right), (2, false, .down), (3, false, .left),
            (0, true, .upMirrored), (1, true, .leftMirrored), (2, true, .downMirrored),
            (3, true, .rightMirrored), (4, false, .up),
        ]
        for (turns, isMirrored, orientation) in expected {
            #expect(Orientation.turned(quarterTurns: turns, isMirrored: isMirrored) == orientation)
        }
    }

    /// Every pixel of a part is looked up in the upright image, and in the stored one.
    @Test func rectanglesAreFoundInStoredPixels() {
        let stored = PixelSize(width: 5, height: 4)
        for orientation in Orientation.allCases {
            let upright = stored.displayed(with: orientation)
            let part = PixelRectangle(x: 1, y: 2, size: PixelSize(width: 2, height: 1))
            let found = part.stored(in: stored, orientation: orientation)
            var pixels: Set<[Int]> = []
            for y in part.y..<part.y + part.size.height {
                for x in part.x..<part.x + part.size.width {
                    pixels.insert(source(x, y, upright, orientation))
                }
            }
            var covered: Set<[Int]> = []
            for y in found.y..<found.y + found.size.height {
                for x in found.x..<found.x + found.size.width { covered.insert([x, y]) }
            }
            #expect(covered == pixels, "\(orientation)")
        }
    }

    /// The stored position of an upright pixel, from EXIF's definition of the values.
    private func source(_ x: Int, _ y: Int, _ upright: PixelSize, _ orientation: Orientation)
        -> [Int]
    {
        let (right, bottom) = (upright.width - 1 - x, upright.height - 1 - y)
        return switch orientation {
        case .up: [x, y]
        case .upMirrored: [right, y]
        case .down: [right, bottom]
        case .downMirrored: [x, bottom]
        case .leftMirrored: [y, x]
        case .right: [y, right]
        case .rightMirrored: [bottom, right]
        case .left: [bottom, x]
        }
    }

    @Test func nullIslandIsOnlyThere() {
        #expect(Location(latitude: 0, longitude: 0).isNullIsland)
        #expect(!Location(latitude: 0, longitude: 1).isNullIsland)
        #expect(!Location(latitude: 1, longitude: 0, altitude: 3).isNullIsland)
    }
}
