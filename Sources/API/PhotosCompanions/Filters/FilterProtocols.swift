public import Foundation

// Filters with their inputs as properties, as Core Image's builders have them.

/// What every filter with properties has.
public protocol CIFilterProtocol: AnyObject {
    /// The picture that comes of it; nil while one that it needs is missing.
    var outputImage: CIImage? { get }
}

/// A look.
public protocol CIPhotoEffect: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
}

/// Brown as old photos.
public protocol CISepiaTone: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// How strong it is.
    var intensity: Float { get set }
}

/// Shades of one colour.
public protocol CIColorMonochrome: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// The colour.
    var color: CIColor { get set }
    /// How strong it is.
    var intensity: Float { get set }
}

/// A negative.
public protocol CIColorInvert: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
}

/// Darker corners.
public protocol CIVignette: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// How strong it is.
    var intensity: Float { get set }
    /// How far it reaches.
    var radius: Float { get set }
}

/// More or less light.
public protocol CIExposureAdjust: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// Stops of exposure.
    var ev: Float { get set }
}

/// Saturation, brightness and contrast.
public protocol CIColorControls: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// 0 is grey, 1 as it is.
    var saturation: Float { get set }
    /// What is added to each colour.
    var brightness: Float { get set }
    /// How far colours are from the middle: 1 as they are.
    var contrast: Float { get set }
}

/// Saturation of dull colours.
public protocol CIVibrance: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// How much of it: -1...1.
    var amount: Float { get set }
}

/// Another white.
public protocol CITemperatureAndTint: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// The picture's white: kelvin and tint.
    var neutral: CIVector { get set }
    /// What white becomes: kelvin and tint.
    var targetNeutral: CIVector { get set }
}

/// Lights and shadows apart.
public protocol CIHighlightShadowAdjust: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// How far it reaches.
    var radius: Float { get set }
    /// How much lighter shadows become: -1...1.
    var shadowAmount: Float { get set }
    /// How light highlights stay: 0...1.
    var highlightAmount: Float { get set }
}

/// A curve through five points.
public protocol CIToneCurve: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// The curve's first point.
    var point0: CGPoint { get set }
    /// The curve's second point.
    var point1: CGPoint { get set }
    /// The curve's third point.
    var point2: CGPoint { get set }
    /// The curve's fourth point.
    var point3: CGPoint { get set }
    /// The curve's last point.
    var point4: CGPoint { get set }
}

/// Other hues.
public protocol CIHueAdjust: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// An angle in radians.
    var angle: Float { get set }
}

/// Colours to a power.
public protocol CIGammaAdjust: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// To which power colours are raised.
    var power: Float { get set }
}

/// Colours made of others.
public protocol CIColorMatrix: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// What makes red.
    var rVector: CIVector { get set }
    /// What makes green.
    var gVector: CIVector { get set }
    /// What makes blue.
    var bVector: CIVector { get set }
    /// What makes alpha.
    var aVector: CIVector { get set }
    /// What is added.
    var biasVector: CIVector { get set }
}

/// A blur.
public protocol CIGaussianBlur: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// How far it reaches.
    var radius: Float { get set }
}

/// Sharper luminance.
public protocol CISharpenLuminance: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// How sharp it becomes.
    var sharpness: Float { get set }
    /// How far it reaches.
    var radius: Float { get set }
}

/// Sharper colours.
public protocol CIUnsharpMask: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// How far it reaches.
    var radius: Float { get set }
    /// How strong it is.
    var intensity: Float { get set }
}

/// A horizon made level.
public protocol CIStraighten: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// An angle in radians.
    var angle: Float { get set }
}

/// Another size.
public protocol CILanczosScaleTransform: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// The factor of height.
    var scale: Float { get set }
    /// What the factor of width is multiplied with.
    var aspectRatio: Float { get set }
}

/// One picture on another.
public protocol CICompositeOperation: CIFilterProtocol {
    /// The picture that it works on.
    var inputImage: CIImage? { get set }
    /// The picture behind.
    var backgroundImage: CIImage? { get set }
}

/// One colour everywhere.
public protocol CIConstantColorGenerator: CIFilterProtocol {
    /// The colour.
    var color: CIColor { get set }
}
