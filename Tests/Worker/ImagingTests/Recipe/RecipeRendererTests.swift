import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Imaging

/// Recipes that are drawn in this process, compared with their definition.
@Suite(.timeLimit(.minutes(2))) struct RecipeRendererTests {
    private typealias Step = PictureRecipe.Step
    private typealias Components = PictureRendering.PixelComponents

    init() { #expect(PreviewDecoder.start() && HEIFPicture.start()) }

    /// Pixels with four bytes each.
    private struct Pixels: Equatable {
        var size: PixelSize
        var bytes: [UInt8]

        init(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) {
            size = PixelSize(width: width, height: height)
            bytes = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
        }

        init(size: PixelSize, bytes: [UInt8]) { (self.size, self.bytes) = (size, bytes) }

        /// The pixel in a column and in a row from the top.
        subscript(x: Int, y: Int) -> [UInt8] {
            let place = (y * size.width + x) * 4
            return Array(bytes[place..<place + 4])
        }
    }

    private static func random(_ generator: inout SeededGenerator, alpha: UInt8? = 255) -> Pixels {
        Pixels(7, 5) { _, _ in
            (0..<3).map { _ in .random(in: 0...255, using: &generator) }
                + [alpha ?? .random(in: 0...255, using: &generator)]
        }
    }

    private func draw(
        _ steps: [Step],
        _ sources: [Pixels],
        components: Components = Components(alpha: .straight),
        region: RecipeRectangle? = nil,
        output: Components = Components(alpha: .straight),
        isLinear: Bool = false
    ) throws -> Pixels {
        let rendering = PictureRendering(
            recipe: PictureRecipe(steps: steps),
            sources: sources.map { source in
                .pixels(PixelBufferDescription(size: source.size, layout: .rgba), components)
            },
            region: region ?? RecipeRectangle(sources[0].size),
            output: .pixels(.rgba, output),
            colors: .sRGB,
            isLinear: isLinear
        )
        let rows = CollectedRows()
        _ = try run(rendering, sources) { try $0.pixels(.rgba, output, into: rows) }
        let size = PixelSize(
            width: Int(rendering.region.width),
            height: Int(rendering.region.height)
        )
        return Pixels(size: size, bytes: rows.bytes)
    }

    /// Passes a renderer to a closure while the pixels of its sources exist.
    private func run<Result>(
        _ rendering: PictureRendering,
        _ sources: [Pixels],
        _ body: (RecipeRenderer) throws -> Result
    ) throws -> Result {
        func open(_ index: Int, _ pictures: [RecipePicture]) throws -> Result {
            guard index < sources.count else {
                return try body(try RecipeRenderer(rendering, pictures))
            }
            return try sources[index].bytes.withUnsafeBytes { bytes in
                guard case .pixels(let description, let components) = rendering.sources[index]
                else {
                    throw CocoaError(.featureUnsupported)
                }
                let picture = try RecipePicture(
                    .pixels(bytes, description, components),
                    size: description.size,
                    isTolerant: false,
                    isRandom: RecipeRenderer.isRandom(rendering.recipe),
                    maximumPixels: 1_000_000,
                    sink: CollectedRows()
                )
                return try open(index + 1, pictures + [picture])
            }
        }
        return try open(0, [])
    }

    private static let source = Step(.source(0))

    /// Returns whether two images differ by at most a number.
    private func isNear(_ one: Pixels, _ other: Pixels, _ limit: Int = 1) -> Bool {
        one.size == other.size && one.bytes.count == other.bytes.count
            && zip(one.bytes, other.bytes).allSatisfy { abs(Int($0) - Int($1)) <= limit }
    }

    // MARK: - Pixels

    @Test func aSourceIsDrawnAsItIs() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for alpha in [UInt8(255), nil] {
            let image = Self.random(&generator, alpha: alpha)
            let found = try draw([Self.source], [image])
            for y in 0..<5 {
                for x in 0..<7 where image[x, y][3] > 0 {
                    #expect(found[x, y] == image[x, y], seed.comment)
                }
            }
        }
    }

    @Test func componentsHaveTheirOrderAndMeaning() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let image = Self.random(&generator)
        let swapped = Pixels(7, 5) { x, y in
            let pixel = image[x, y]
            return [pixel[2], pixel[1], pixel[0], pixel[3]]
        }
        let blueFirst = Components(alpha: .straight, isBlueFirst: true)
        #expect(try draw([Self.source], [swapped], components: blueFirst) == image, seed.comment)
        #expect(try draw([Self.source], [image], output: blueFirst) == swapped, seed.comment)
        // Alpha that has no meaning is ignored.
        let ignored = Components(alpha: .ignored)
        let other = Pixels(7, 5) { x, y in image[x, y].prefix(3) + [UInt8(x * 9)] }
        #expect(try draw([Self.source], [other], components: ignored) == image, seed.comment)
        let premultiplied = Components(alpha: .premultiplied)
        let half = Pixels(2, 1) { x, _ in [100, 50, 0, x == 0 ? 128 : 255] }
        let straight = try draw([Self.source], [half], components: premultiplied)
        #expect(
            isNear(straight, Pixels(2, 1) { x, _ in x == 0 ? [199, 100, 0, 128] : half[1, 0] })
        )
        let back = try draw([Self.source], [straight], output: premultiplied)
        #expect(isNear(back, half))
    }

    /// Beyond the image, everything is transparent.
    @Test func theRegionIsDrawn() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let image = Self.random(&generator)
        let region = RecipeRectangle(minX: -2, minY: -1, maxX: 5, maxY: 4)
        let found = try draw([Self.source], [image], region: region)
        for y in 0..<5 {
            for x in 0..<7 {
                // Row 0 of the region lies at y 3...4, which is row 1 of the image.
                let (column, row) = (x - 2, y + 1)
                let isInside = (0..<7).contains(column) && (0..<5).contains(row)
                #expect(
                    found[x, y] == (isInside ? image[column, row] : [0, 0, 0, 0]),
                    seed.comment
                )
            }
        }
        let far = RecipeRectangle(minX: 50, minY: 50, maxX: 52, maxY: 51)
        #expect(try draw([Self.source], [image], region: far).bytes.allSatisfy { $0 == 0 })
    }

    // MARK: - Geometry

    /// Transforms that map pixels to pixels are exact.
    @Test(
        arguments: [
            [1, 0, 0, 1], [-1, 0, 0, 1], [-1, 0, 0, -1], [1, 0, 0, -1], [0, -1, -1, 0],
            [0, -1, 1, 0],
            [0, 1, 1, 0], [0, 1, -1, 0],
        ] as [[Double]]
    )
    func quarterTurnsAreExact(_ matrix: [Double]) throws {
        let seed = TestSeed()
        var generator = seed.generator
        let image = Self.random(&generator)
        let transform = RecipeTransform(
            a: matrix[0],
            b: matrix[1],
            c: matrix[2],
            d: matrix[3],
            tx: 20,
            ty: 30
        )
        let region = transform.applied(to: RecipeRectangle(image.size))
        let steps = [Self.source, Step(.transform(transform), of: [0])]
        let found = try draw(steps, [image], region: region)
        for y in 0..<5 {
            for x in 0..<7 {
                // The middle of a pixel, with y upward.
                let (across, up) = (Double(x) + 0.5, 5 - Double(y) - 0.5)
                let left = matrix[0] * across + matrix[2] * up + 20 - region.minX
                let height = matrix[1] * across + matrix[3] * up + 30
                let place = (Int(left.rounded(.down)), Int((region.maxY - height).rounded(.down)))
                #expect(found[place.0, place.1] == image[x, y], seed.comment)
            }
        }
    }

    /// A turn by another angle keeps the middle of a plain image, and leaves the corners empty.
    @Test func otherTurnsAreInterpolated() throws {
        let image = Pixels(40, 40) { _, _ in [90, 180, 30, 255] }
        let (sine, cosine) = (sin(0.5), cos(0.5))
        let turn = RecipeTransform(
            a: cosine,
            b: sine,
            c: -sine,
            d: cosine,
            tx: 20 - 20 * cosine + 20 * sine,
            ty: 20 - 20 * sine - 20 * cosine
        )
        let found = try draw([Self.source, Step(.transform(turn), of: [0])], [image])
        #expect(zip(found[20, 20], [90, 180, 30, 255]).allSatisfy { abs(Int($0) - $1) <= 1 })
        #expect(found[0, 0][3] == 0 && found[39, 39][3] == 0)
        let half = RecipeTransform(a: 0.5, b: 0, c: 0, d: 0.5, tx: 0, ty: 0)
        let steps = [Self.source, Step(.transform(half), of: [0])]
        let region = RecipeRectangle(minX: 0, minY: 0, maxX: 20, maxY: 20)
        let small = try draw(steps, [image], region: region)
        #expect(isNear(small, Pixels(20, 20) { _, _ in [90, 180, 30, 255] }, 2))
    }

    @Test(arguments: [(0.5, 0.5), (2, 2), (0.25, 1), (1, 3)] as [(Double, Double)])
    func aPlainImageStaysPlainWhenItIsScaled(_ horizontal: Double, _ vertical: Double) throws {
        let image = Pixels(16, 8) { _, _ in [10, 200, 99, 255] }
        let (width, height) = (Int(16 * horizontal), Int(8 * vertical))
        let found = try draw(
            [Self.source, Step(.scale(horizontal: horizontal, vertical: vertical), of: [0])],
            [image],
            region: RecipeRectangle(PixelSize(width: width, height: height))
        )
        #expect(isNear(found, Pixels(width, height) { _, _ in [10, 200, 99, 255] }))
    }

    @Test func anInfiniteImageIsScaledToItself() throws {
        let image = Pixels(4, 4) { _, _ in [10, 200, 99, 255] }
        let found = try draw(
            [
                Step(.color(red: 1, green: 0.2, blue: 0, alpha: 1)),
                Step(.scale(horizontal: 3, vertical: 3), of: [0]),
            ],
            [image]
        )
        #expect(isNear(found, Pixels(4, 4) { _, _ in [255, 51, 0, 255] }))
    }

    @Test func cropsCutAndClampsExtend() throws {
        let image = Pixels(6, 4) { x, y in [UInt8(x * 40), UInt8(y * 60), 7, 255] }
        // In coordinates from the lower left corner: columns 2 and 3, rows 1 and 2 from the top.
        let crop = Step(.crop(RecipeRectangle(minX: 2, minY: 1, maxX: 4, maxY: 3)), of: [0])
        let cropped = try draw([Self.source, crop], [image])
        for y in 0..<4 {
            for x in 0..<6 {
                let isInside = (2..<4).contains(x) && (1..<3).contains(y)
                #expect(cropped[x, y] == (isInside ? image[x, y] : [0, 0, 0, 0]))
            }
        }
        let steps = [Self.source, crop, Step(.clamp, of: [1])]
        let clamped = try draw(steps, [image])
        for y in 0..<4 {
            for x in 0..<6 { #expect(clamped[x, y] == image[min(max(x, 2), 3), min(max(y, 1), 2)]) }
        }
        // A part that lies wholly beyond the image.
        let region = RecipeRectangle(minX: 10, minY: 10, maxX: 12, maxY: 11)
        let corner = try draw(steps, [image], region: region)
        #expect(corner == Pixels(2, 1) { _, _ in image[3, 1] })
    }

    // MARK: - Blurs

    /// An edge becomes the integral of the Gaussian curve.
    @Test func aBlurIsGaussian() throws {
        let image = Pixels(61, 9) { x, _ in x < 30 ? [0, 0, 0, 255] : [200, 200, 200, 255] }
        let sigma = 3.0
        let steps = [Self.source, Step(.clamp, of: [0]), Step(.blur(sigma: sigma), of: [1])]
        let found = try draw(steps, [image])
        for x in 0..<61 {
            // The edge lies between columns 29 and 30.
            let distance = Double(x) + 0.5 - 30
            let expected = 200 * 0.5 * (1 + erf(distance / (sigma * 2.0.squareRoot())))
            #expect(abs(Double(found[x, 4][0]) - expected) < 4, "\(x)")
        }
        // Without the clamp, the image fades into transparency.
        let faded = try draw([Self.source, Step(.blur(sigma: sigma), of: [0])], [image])
        #expect(faded[60, 4][3] < 200 && faded[60, 4][3] > 60)
        #expect(faded[60, 4][0] > 190, "its color stays")
    }

    @Test func sharpeningExaggeratesEdgesOnly() throws {
        let image = Pixels(41, 9) { x, _ in x < 20 ? [80, 80, 80, 255] : [160, 160, 160, 255] }
        for isLuminance in [true, false] {
            func sharpen(_ amount: Double) throws -> Pixels {
                let sharpen = PictureRecipe.Operation.sharpen(
                    sigma: 2,
                    amount: amount,
                    isLuminance: isLuminance
                )
                return try draw([Self.source, Step(sharpen, of: [0])], [image])
            }
            #expect(isNear(try sharpen(0), image))
            let found = try sharpen(1)
            #expect(found[19, 4][0] < 65 && found[20, 4][0] > 175)
            #expect(abs(Int(found[2, 4][0]) - 80) <= 1 && abs(Int(found[38, 4][0]) - 160) <= 1)
        }
    }

    @Test func tonesChangeBrightAndDarkParts() throws {
        let image = Pixels(30, 30) { x, _ in x < 15 ? [30, 30, 30, 255] : [230, 230, 230, 255] }
        func tones(_ highlights: Double, _ shadows: Double) throws -> Pixels {
            let tones = PictureRecipe.Operation.tones(
                highlights: highlights,
                shadows: shadows,
                sigma: 1
            )
            return try draw([Self.source, Step(tones, of: [0])], [image])
        }
        #expect(isNear(try tones(0, 0), image))
        let raised = try tones(0, 1)
        #expect(raised[3, 15][0] > 35 && abs(Int(raised[27, 15][0]) - 230) < 10)
        let lowered = try tones(1, 0)
        #expect(lowered[27, 15][0] < 225 && abs(Int(lowered[3, 15][0]) - 30) < 10)
    }

    // MARK: - Compositing

    /// Porter and Duff's “over”, with encoded values or with light.
    @Test(arguments: [false, true]) func oneImageIsDrawnOverAnother(isLinear: Bool) throws {
        let seed = TestSeed()
        var generator = seed.generator
        let top = Self.random(&generator, alpha: nil)
        let bottom = Self.random(&generator, alpha: nil)
        let steps = [Step(.source(0)), Step(.source(1)), Step(.over, of: [0, 1])]
        let found = try draw(steps, [top, bottom], isLinear: isLinear)
        func light(_ value: UInt8) -> Double {
            let value = Double(value) / 255
            guard isLinear else { return value }
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        func encoded(_ value: Double) -> Double {
            guard isLinear else { return value }
            return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
        }
        for y in 0..<5 {
            for x in 0..<7 {
                let (above, below) = (top[x, y], bottom[x, y])
                let (one, two) = (Double(above[3]) / 255, Double(below[3]) / 255)
                let alpha = one + two * (1 - one)
                #expect(abs(Double(found[x, y][3]) - 255 * alpha) <= 1, seed.comment)
                // The colors of nearly transparent pixels are rounded from very little.
                guard alpha > 0.2 else { continue }
                for band in 0..<3 {
                    let mixed =
                        (light(above[band]) * one + light(below[band]) * two * (1 - one)) / alpha
                    #expect(
                        abs(Double(found[x, y][band]) - 255 * encoded(mixed)) <= 2,
                        seed.comment
                    )
                }
            }
        }
    }

    @Test func whatLiesOverNothingStays() throws {
        let image = Pixels(6, 4) { x, y in [UInt8(x * 40), UInt8(y * 60), 7, 255] }
        let away = RecipeTransform(a: 1, b: 0, c: 0, d: 1, tx: 100, ty: 0)
        let steps = [
            Step(.source(0)), Step(.transform(away), of: [0]), Step(.over, of: [0, 1]),
            Step(.over, of: [1, 2]),
        ]
        #expect(try draw(steps, [image]) == image)
        // An image that covers everything hides what is below.
        let hidden = [
            Step(.source(0)), Step(.color(red: 1, green: 1, blue: 1, alpha: 1)),
            Step(.over, of: [0, 1]),
        ]
        #expect(try draw(hidden, [image]) == image)
        let veil = [
            Step(.color(red: 1, green: 0, blue: 0, alpha: 0.5)), Step(.source(0)),
            Step(.over, of: [0, 1]),
        ]
        let veiled = try draw(veil, [image])
        let expected = Pixels(6, 4) { x, y in
            let pixel = image[x, y]
            return [UInt8((Int(pixel[0]) + 255) / 2), pixel[1] / 2, 3, 255]
        }
        #expect(isNear(veiled, expected, 2))
    }

    // MARK: - Colors

    @Test func pointsChangeColors() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let image = Self.random(&generator)
        func apply(_ operations: [PointOperation], isLinear: Bool = false) throws -> Pixels {
            try draw([Self.source, Step(.point(operations), of: [0])], [image], isLinear: isLinear)
        }
        func mapped(_ body: ([Double]) -> [Double]) -> Pixels {
            Pixels(7, 5) { x, y in
                let color = image[x, y].map { Double($0) / 255 }
                let changed = body(color)
                let whole = changed.count == 4 ? changed : changed + [color[3]]
                return whole.map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
            }
        }
        let swap: [Double] = [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0]
        #expect(isNear(try apply([.matrix(swap)]), mapped { [$0[2], $0[1], $0[0]] }), seed.comment)
        let darker: [Double] = [0.5, 0, 0, 0.1, 0, 0.5, 0, 0.1, 0, 0, 0.5, 0.1]
        #expect(isNear(try apply([.matrix(darker)]), mapped { $0.prefix(3).map { $0 / 2 + 0.1 } }))
        #expect(isNear(try apply([.power(2)]), mapped { $0.prefix(3).map { $0 * $0 } }))
        let inverse = PointOperation.curves(red: [1, 0], green: [1, 0], blue: [0, 1])
        #expect(isNear(try apply([inverse]), mapped { [1 - $0[0], 1 - $0[1], $0[2]] }))
        let fade: [Double] = [
            1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0.5, 0,
        ]
        let faded = try apply([.alphaMatrix(fade)])
        #expect(isNear(faded, mapped { [$0[0], $0[1], $0[2], 0.5] }, 2))
        #expect(
            isNear(try apply([.alphaMatrix(fade), .opaque]), mapped { [$0[0], $0[1], $0[2], 1] })
        )
        // Inverse operations, and those without strength, change nothing.
        for none: [PointOperation] in [
            [.encode, .decode], [.vibrance(0)], [.tones(highlights: 0, shadows: 0)], [.power(1)],
        ] {
            for isLinear in [false, true] {
                #expect(isNear(try apply(none, isLinear: isLinear), image), "\(none)")
            }
        }
    }

    @Test func vibranceRaisesSaturation() throws {
        let image = Pixels(2, 1) { x, _ in x == 0 ? [120, 100, 100, 255] : [99, 99, 99, 255] }
        let found = try draw([Self.source, Step(.point([.vibrance(1)]), of: [0])], [image])
        #expect(Int(found[0, 0][0]) - Int(found[0, 0][2]) > 22)
        #expect(abs(Int(found[1, 0][0]) - 99) <= 1, "gray stays gray")
    }

    @Test func aVignetteDarkensTheCorners() throws {
        let image = Pixels(41, 41) { _, _ in [200, 200, 200, 255] }
        let vignette = PointOperation.vignette(x: 20.5, y: 20.5, radius: 20, intensity: 1)
        let found = try draw([Self.source, Step(.point([vignette]), of: [0])], [image])
        #expect(found[20, 20][0] > 190 && found[0, 0][0] < 120)
        #expect(found[0, 0] == found[40, 40])
    }

    /// Half floats keep values beyond white.
    @Test func brightColorsAreKept() throws {
        let image = Pixels(2, 1) { x, _ in x == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
        let double: [Double] = [3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0]
        let rendering = PictureRendering(
            recipe: PictureRecipe(steps: [Self.source, Step(.point([.matrix(double)]), of: [0])]),
            sources: [
                .pixels(
                    PixelBufferDescription(size: image.size, layout: .rgba),
                    Components(alpha: .ignored)
                )
            ],
            region: RecipeRectangle(image.size),
            output: .pixels(.rgbaHalf, Components(alpha: .straight)),
            colors: .extendedLinearDisplayP3,
            isLinear: true
        )
        let rows = CollectedRows()
        let hasAlpha = try run(rendering, [image]) {
            try $0.pixels(.rgbaHalf, Components(alpha: .straight), into: rows)
        }
        #expect(!hasAlpha && rows.halves.count == 8)
        for (half, expected) in zip(rows.halves, [3, 3, 3, 1, 0, 0, 0, 1] as [Float16]) {
            #expect(abs(half - expected) < 0.01)
        }
    }

    /// Half floats are read as they are, with blue beyond white.
    @Test func halvesAreASource() throws {
        let halves: [Float16] = [0.25, 0.5, 2, 1, 0, 1, 0.125, 1]
        let bytes = halves.withUnsafeBytes { Array($0) }
        let size = PixelSize(width: 2, height: 1)
        let description = PixelBufferDescription(
            size: size,
            layout: .rgbaHalf,
            colors: .extendedLinearDisplayP3
        )
        let rendering = PictureRendering(
            recipe: PictureRecipe(steps: [Self.source]),
            sources: [.pixels(description, Components(alpha: .ignored))],
            region: RecipeRectangle(size),
            output: .pixels(.rgbaHalf, Components(alpha: .straight)),
            colors: .extendedLinearDisplayP3,
            isLinear: true
        )
        let rows = CollectedRows()
        _ = try run(rendering, [Pixels(size: size, bytes: bytes)]) {
            try $0.pixels(.rgbaHalf, Components(alpha: .straight), into: rows)
        }
        #expect(rows.halves.count == 8)
        for (found, half) in zip(rows.halves, halves) { #expect(abs(found - half) < 0.005) }
    }

    // MARK: - Failures

    @Test func invalidRecipesAreRefused() throws {
        let image = Pixels(2, 2) { _, _ in [1, 2, 3, 255] }
        for steps: [Step] in [
            [], [Step(.source(1))], [Step(.clamp)], [Step(.clamp, of: [0])],
            [Self.source, Step(.over, of: [0])], [Self.source, Step(.clamp, of: [5])],
        ] {
            #expect(throws: DecodeFailure.self) { try draw(steps, [image]) }
        }
        let nothing = RecipeRectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)
        #expect(throws: DecodeFailure.self) { try draw([Self.source], [image], region: nothing) }
    }

    /// Only these read the rows of their sources from the top.
    @Test func theOrderOfRowsIsKnown() {
        func isRandom(_ operation: PictureRecipe.Operation) -> Bool {
            RecipeRenderer.isRandom(
                PictureRecipe(steps: [Self.source, Step(operation, of: [0])])
            )
        }
        let shift = RecipeTransform(a: 1, b: 0, c: 0, d: 1, tx: 3, ty: 4)
        let flip = RecipeTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
        #expect(!isRandom(.point([.opaque])) && !isRandom(.crop(.infinite)))
        #expect(!isRandom(.transform(shift)) && !isRandom(.scale(horizontal: 1, vertical: 0.5)))
        #expect(isRandom(.transform(flip)) && isRandom(.blur(sigma: 1)) && isRandom(.clamp))
        let twice = PictureRecipe(steps: [Self.source, Step(.over, of: [0, 0])])
        #expect(RecipeRenderer.isRandom(twice))
    }
}
