internal import Foundation

/// A built-in filter whose inputs are also available as properties.
///
/// The class has the properties of all filters. The protocols, such as ``CIVignette``, declare
/// which of them a filter has.
final class BuiltinFilter: CIFilter {
    /// Returns a built-in filter by its name, which must exist.
    static func named(_ name: String) -> BuiltinFilter {
        guard let definition = FilterDefinition.all[name] else {
            preconditionFailure("There is no filter \(name).")
        }
        return BuiltinFilter(definition)
    }

    var inputImage: CIImage? {
        get { value(forKey: kCIInputImageKey) as? CIImage }
        set { setValue(newValue, forKey: kCIInputImageKey) }
    }
    var backgroundImage: CIImage? {
        get { value(forKey: kCIInputBackgroundImageKey) as? CIImage }
        set { setValue(newValue, forKey: kCIInputBackgroundImageKey) }
    }
    var intensity: Float {
        get { number(kCIInputIntensityKey) }
        set { setValue(newValue, forKey: kCIInputIntensityKey) }
    }
    var ev: Float {
        get { number(kCIInputEVKey) }
        set { setValue(newValue, forKey: kCIInputEVKey) }
    }
    var saturation: Float {
        get { number(kCIInputSaturationKey) }
        set { setValue(newValue, forKey: kCIInputSaturationKey) }
    }
    var brightness: Float {
        get { number(kCIInputBrightnessKey) }
        set { setValue(newValue, forKey: kCIInputBrightnessKey) }
    }
    var contrast: Float {
        get { number(kCIInputContrastKey) }
        set { setValue(newValue, forKey: kCIInputContrastKey) }
    }
    var amount: Float {
        get { number(kCIInputAmountKey) }
        set { setValue(newValue, forKey: kCIInputAmountKey) }
    }
    var neutral: CIVector {
        get { vector("inputNeutral") }
        set { setValue(newValue, forKey: "inputNeutral") }
    }
    var targetNeutral: CIVector {
        get { vector("inputTargetNeutral") }
        set { setValue(newValue, forKey: "inputTargetNeutral") }
    }
    var radius: Float {
        get { number(kCIInputRadiusKey) }
        set { setValue(newValue, forKey: kCIInputRadiusKey) }
    }
    var shadowAmount: Float {
        get { number("inputShadowAmount") }
        set { setValue(newValue, forKey: "inputShadowAmount") }
    }
    var highlightAmount: Float {
        get { number("inputHighlightAmount") }
        set { setValue(newValue, forKey: "inputHighlightAmount") }
    }
    var point0: CGPoint {
        get { vector("inputPoint0").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint0") }
    }
    var point1: CGPoint {
        get { vector("inputPoint1").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint1") }
    }
    var point2: CGPoint {
        get { vector("inputPoint2").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint2") }
    }
    var point3: CGPoint {
        get { vector("inputPoint3").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint3") }
    }
    var point4: CGPoint {
        get { vector("inputPoint4").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint4") }
    }
    var angle: Float {
        get { number(kCIInputAngleKey) }
        set { setValue(newValue, forKey: kCIInputAngleKey) }
    }
    var power: Float {
        get { number("inputPower") }
        set { setValue(newValue, forKey: "inputPower") }
    }
    var color: CIColor {
        get { value(forKey: kCIInputColorKey) as? CIColor ?? .black }
        set { setValue(newValue, forKey: kCIInputColorKey) }
    }
    var sharpness: Float {
        get { number(kCIInputSharpnessKey) }
        set { setValue(newValue, forKey: kCIInputSharpnessKey) }
    }
    var scale: Float {
        get { number(kCIInputScaleKey) }
        set { setValue(newValue, forKey: kCIInputScaleKey) }
    }
    var aspectRatio: Float {
        get { number(kCIInputAspectRatioKey) }
        set { setValue(newValue, forKey: kCIInputAspectRatioKey) }
    }
    var rVector: CIVector {
        get { vector("inputRVector") }
        set { setValue(newValue, forKey: "inputRVector") }
    }
    var gVector: CIVector {
        get { vector("inputGVector") }
        set { setValue(newValue, forKey: "inputGVector") }
    }
    var bVector: CIVector {
        get { vector("inputBVector") }
        set { setValue(newValue, forKey: "inputBVector") }
    }
    var aVector: CIVector {
        get { vector("inputAVector") }
        set { setValue(newValue, forKey: "inputAVector") }
    }
    var biasVector: CIVector {
        get { vector(kCIInputBiasVectorKey) }
        set { setValue(newValue, forKey: kCIInputBiasVectorKey) }
    }

    private func number(_ key: String) -> Float {
        (value(forKey: key) as? NSNumber)?.floatValue ?? 0
    }

    private func vector(_ key: String) -> CIVector {
        value(forKey: key) as? CIVector ?? CIVector(values: [])
    }
}

extension BuiltinFilter:
    CIPhotoEffect,
    CISepiaTone,
    CIColorMonochrome,
    CIColorInvert,
    CIVignette,
    CIExposureAdjust,
    CIColorControls,
    CIVibrance,
    CITemperatureAndTint,
    CIHighlightShadowAdjust,
    CIToneCurve,
    CIHueAdjust,
    CIGammaAdjust,
    CIColorMatrix,
    CIGaussianBlur,
    CISharpenLuminance,
    CIUnsharpMask,
    CIStraighten,
    CILanczosScaleTransform,
    CICompositeOperation,
    CIConstantColorGenerator
{}
