import Foundation
import PhotosCompanions
import Testing

/// The properties of typed filters, which are the inputs by name.
@Suite(.timeLimit(.minutes(1))) struct FilterPropertyTests {
    private let image = CIImage(color: .red).cropped(
        to: CGRect(x: 0, y: 0, width: 40, height: 30)
    )

    private func number(_ filter: any CIFilterProtocol, _ key: String) throws -> Float {
        let filter = try #require(filter as? CIFilter)
        return try #require(filter.value(forKey: key) as? NSNumber).floatValue
    }

    private func vector(_ filter: any CIFilterProtocol, _ key: String) throws -> CIVector {
        let filter = try #require(filter as? CIFilter)
        return try #require(filter.value(forKey: key) as? CIVector)
    }

    @Test func photoEffectsTakeAnImage() {
        let effects: [any CIFilter & CIPhotoEffect] = [
            CIFilter.photoEffectChrome(), CIFilter.photoEffectFade(), CIFilter.photoEffectInstant(),
            CIFilter.photoEffectMono(),
            CIFilter.photoEffectNoir(), CIFilter.photoEffectProcess(), CIFilter.photoEffectTonal(),
            CIFilter.photoEffectTransfer(),
        ]
        let names = effects.map { $0.name }
        #expect(
            names
                == ["Chrome", "Fade", "Instant", "Mono", "Noir", "Process", "Tonal", "Transfer"]
                .map { "CIPhotoEffect" + $0 }
        )
        for effect in effects {
            #expect(effect.inputImage == nil && effect.outputImage == nil)
            effect.inputImage = image
            #expect(effect.inputImage === image && effect.outputImage?.extent == image.extent)
            #expect(effect.outputImage == image.applyingFilter(effect.name))
        }
        let inverted = CIFilter.colorInvert()
        inverted.inputImage = image
        #expect(inverted.outputImage == image.applyingFilter("CIColorInvert"))
    }

    @Test func intensitiesAreNumbers() throws {
        let sepia = CIFilter.sepiaTone()
        #expect(sepia.intensity == 1)
        sepia.intensity = 0.25
        #expect(try number(sepia, kCIInputIntensityKey) == 0.25 && sepia.intensity == 0.25)
        let monochrome = CIFilter.colorMonochrome()
        (monochrome.color, monochrome.intensity) = (.cyan, 0.5)
        #expect(monochrome.color == .cyan)
        #expect(try number(monochrome, kCIInputIntensityKey) == 0.5)
        let vignette = CIFilter.vignette()
        (vignette.intensity, vignette.radius) = (0.75, 1.5)
        #expect(try number(vignette, kCIInputIntensityKey) == 0.75)
        #expect(try number(vignette, kCIInputRadiusKey) == 1.5 && vignette.radius == 1.5)
        let mask = CIFilter.unsharpMask()
        (mask.radius, mask.intensity) = (3, 0.5)
        #expect(try number(mask, kCIInputRadiusKey) == 3 && mask.intensity == 0.5)
        let sharpened = CIFilter.sharpenLuminance()
        (sharpened.sharpness, sharpened.radius) = (0.5, 2)
        #expect(try number(sharpened, kCIInputSharpnessKey) == 0.5 && sharpened.sharpness == 0.5)
        let blur = CIFilter.gaussianBlur()
        #expect(blur.radius == 10)
        blur.radius = 4
        #expect(try number(blur, kCIInputRadiusKey) == 4)
    }

    @Test func colorsAreAdjusted() throws {
        let exposure = CIFilter.exposureAdjust()
        exposure.ev = -1.5
        #expect(try number(exposure, kCIInputEVKey) == -1.5 && exposure.ev == -1.5)
        let controls = CIFilter.colorControls()
        #expect(controls.saturation == 1 && controls.brightness == 0 && controls.contrast == 1)
        (controls.saturation, controls.brightness, controls.contrast) = (0.5, 0.25, 1.5)
        #expect(try number(controls, kCIInputSaturationKey) == 0.5)
        #expect(try number(controls, kCIInputBrightnessKey) == 0.25)
        #expect(try number(controls, kCIInputContrastKey) == 1.5)
        let vibrance = CIFilter.vibrance()
        vibrance.amount = 0.5
        #expect(try number(vibrance, kCIInputAmountKey) == 0.5 && vibrance.amount == 0.5)
        let hue = CIFilter.hueAdjust()
        hue.angle = 1.5
        #expect(try number(hue, kCIInputAngleKey) == 1.5 && hue.angle == 1.5)
        let gamma = CIFilter.gammaAdjust()
        gamma.power = 0.5
        #expect(try number(gamma, "inputPower") == 0.5 && gamma.power == 0.5)
        let tones = CIFilter.highlightShadowAdjust()
        (tones.shadowAmount, tones.highlightAmount, tones.radius) = (0.25, 0.5, 4)
        #expect(try number(tones, "inputShadowAmount") == 0.25 && tones.shadowAmount == 0.25)
        #expect(try number(tones, "inputHighlightAmount") == 0.5 && tones.highlightAmount == 0.5)
        let white = CIFilter.temperatureAndTint()
        #expect(white.neutral == CIVector(x: 6500, y: 0) && white.targetNeutral == white.neutral)
        white.neutral = CIVector(x: 5000, y: 10)
        white.targetNeutral = CIVector(x: 7000, y: 5)
        #expect(try vector(white, "inputNeutral") == CIVector(x: 5000, y: 10))
        #expect(try vector(white, "inputTargetNeutral") == CIVector(x: 7000, y: 5))
    }

    @Test func matricesAndCurvesAreVectors() throws {
        let matrix = CIFilter.colorMatrix()
        #expect(matrix.rVector == CIVector(x: 1, y: 0, z: 0, w: 0))
        #expect(matrix.aVector == CIVector(x: 0, y: 0, z: 0, w: 1))
        let rows = (1...5).map { CIVector(x: CGFloat($0), y: 0.5, z: 0.25, w: 0) }
        (matrix.rVector, matrix.gVector, matrix.bVector) = (rows[0], rows[1], rows[2])
        (matrix.aVector, matrix.biasVector) = (rows[3], rows[4])
        let keys = ["inputRVector", "inputGVector", "inputBVector", "inputAVector"]
        #expect(try (keys + [kCIInputBiasVectorKey]).map { try vector(matrix, $0) } == rows)
        #expect(
            [matrix.rVector, matrix.gVector, matrix.bVector, matrix.aVector, matrix.biasVector]
                == rows
        )
        let curve = CIFilter.toneCurve()
        let quarters = (0...4).map { CGPoint(x: Double($0) / 4, y: Double($0) / 4) }
        #expect(
            [curve.point0, curve.point1, curve.point2, curve.point3, curve.point4] == quarters
        )
        let points = quarters.map { CGPoint(x: $0.x, y: $0.y * $0.y) }
        (curve.point0, curve.point1, curve.point2) = (points[0], points[1], points[2])
        (curve.point3, curve.point4) = (points[3], points[4])
        let found = try (0...4).map { try vector(curve, "inputPoint\($0)").cgPointValue }
        #expect(found == points)
    }

    @Test func geometryAndCompositesAreInputs() throws {
        let straight = CIFilter.straighten()
        (straight.inputImage, straight.angle) = (image, 0.25)
        #expect(try number(straight, kCIInputAngleKey) == 0.25)
        #expect(straight.outputImage?.extent == image.extent)
        let scale = CIFilter.lanczosScaleTransform()
        (scale.inputImage, scale.scale, scale.aspectRatio) = (image, 0.5, 2)
        #expect(scale.scale == 0.5 && scale.aspectRatio == 2)
        // The aspect ratio is a further factor of the width.
        #expect(scale.outputImage?.extent == CGRect(x: 0, y: 0, width: 40, height: 15))
        let over = CIFilter.sourceOverCompositing()
        let below = CIImage(color: .blue).cropped(to: CGRect(x: 0, y: 0, width: 60, height: 10))
        over.inputImage = image
        over.backgroundImage = below
        #expect(over.backgroundImage === below)
        #expect(over.outputImage == image.composited(over: below))
        let color = CIFilter.constantColorGenerator()
        color.color = .green
        #expect(color.color == .green && color.outputImage == CIImage(color: .green))
    }
}
