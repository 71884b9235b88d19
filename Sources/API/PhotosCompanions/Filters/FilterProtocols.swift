public import Foundation

// Filter protocols with the inputs as properties, as in Core Image's CIFilterBuiltins.

/// A filter with properties for its inputs.
public protocol CIFilterProtocol: AnyObject {
    /// The filtered image; nil while a required image is missing.
    var outputImage: CIImage? { get }
}

/// A photo effect filter.
public protocol CIPhotoEffect: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
}

/// A sepia tone filter.
public protocol CISepiaTone: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The strength of the effect.
    var intensity: Float { get set }
}

/// A filter that renders an image in shades of one color.
public protocol CIColorMonochrome: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The color of the shades.
    var color: CIColor { get set }
    /// The strength of the effect.
    var intensity: Float { get set }
}

/// A filter that inverts colors.
public protocol CIColorInvert: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
}

/// A vignette filter.
public protocol CIVignette: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The strength of the effect.
    var intensity: Float { get set }
    /// The radius of the vignette as a fraction of the distance from the image's center to its
    /// corners; at 1, it reaches the corners.
    var radius: Float { get set }
}

/// A filter that adjusts exposure.
public protocol CIExposureAdjust: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The exposure adjustment in stops.
    var ev: Float { get set }
}

/// A filter that adjusts saturation, brightness and contrast.
public protocol CIColorControls: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The saturation factor: 0 yields gray, 1 leaves colors unchanged.
    var saturation: Float { get set }
    /// The offset that is added to each component.
    var brightness: Float { get set }
    /// The contrast factor around the middle value; 1 leaves colors unchanged.
    var contrast: Float { get set }
}

/// A filter that adjusts the saturation of dull colors.
public protocol CIVibrance: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The change of saturation, -1...1.
    var amount: Float { get set }
}

/// A filter that adjusts the white balance.
public protocol CITemperatureAndTint: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The white point of the image: temperature in kelvins, and tint.
    var neutral: CIVector { get set }
    /// The desired white point: temperature in kelvins, and tint.
    var targetNeutral: CIVector { get set }
}

/// A filter that adjusts highlights and shadows separately.
public protocol CIHighlightShadowAdjust: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The standard deviation, in pixels, of the blur that separates highlights from shadows.
    var radius: Float { get set }
    /// The amount by which shadows are brightened, -1...1.
    var shadowAmount: Float { get set }
    /// The brightness of highlights, 0...1; 1 leaves them unchanged.
    var highlightAmount: Float { get set }
}

/// A filter that applies a tone curve through five points.
public protocol CIToneCurve: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The first point of the curve.
    var point0: CGPoint { get set }
    /// The second point of the curve.
    var point1: CGPoint { get set }
    /// The third point of the curve.
    var point2: CGPoint { get set }
    /// The fourth point of the curve.
    var point3: CGPoint { get set }
    /// The last point of the curve.
    var point4: CGPoint { get set }
}

/// A filter that rotates hues.
public protocol CIHueAdjust: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The angle in radians.
    var angle: Float { get set }
}

/// A filter that raises color values to a power.
public protocol CIGammaAdjust: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The exponent.
    var power: Float { get set }
}

/// A filter that multiplies color values by a matrix.
public protocol CIColorMatrix: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The matrix row for red.
    var rVector: CIVector { get set }
    /// The matrix row for green.
    var gVector: CIVector { get set }
    /// The matrix row for blue.
    var bVector: CIVector { get set }
    /// The matrix row for alpha.
    var aVector: CIVector { get set }
    /// The vector that is added to the product of matrix and color.
    var biasVector: CIVector { get set }
}

/// A Gaussian blur filter.
public protocol CIGaussianBlur: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The standard deviation of the blur in pixels.
    var radius: Float { get set }
}

/// A filter that sharpens luminance.
public protocol CISharpenLuminance: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The amount of sharpening.
    var sharpness: Float { get set }
    /// The standard deviation, in pixels, of the blur that determines the details to sharpen.
    var radius: Float { get set }
}

/// A filter that sharpens with an unsharp mask.
public protocol CIUnsharpMask: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The standard deviation, in pixels, of the blur that determines the details to sharpen.
    var radius: Float { get set }
    /// The strength of sharpening.
    ///
    /// The filter multiplies the difference between the image and a blurred version of it by this
    /// factor, and adds the product to the image.
    var intensity: Float { get set }
}

/// A filter that straightens the horizon.
public protocol CIStraighten: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The counterclockwise angle in radians.
    var angle: Float { get set }
}

/// A filter that resizes an image.
public protocol CILanczosScaleTransform: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The scale factor of the height.
    var scale: Float { get set }
    /// The factor by which the width is scaled in addition to ``scale``.
    var aspectRatio: Float { get set }
}

/// A filter that composites one image over another.
public protocol CICompositeOperation: CIFilterProtocol {
    /// The input image.
    var inputImage: CIImage? { get set }
    /// The background image.
    var backgroundImage: CIImage? { get set }
}

/// A filter that generates an infinite image of one color.
public protocol CIConstantColorGenerator: CIFilterProtocol {
    /// The color of the image.
    var color: CIColor { get set }
}
