extension CIFilter {
    /// Stronger colours and contrast.
    public class func photoEffectChrome() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectChrome")
    }

    /// Colours that have faded.
    public class func photoEffectFade() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectFade")
    }

    /// An instant camera's picture.
    public class func photoEffectInstant() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectInstant")
    }

    /// Black and white with little contrast.
    public class func photoEffectMono() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectMono")
    }

    /// Black and white with much contrast.
    public class func photoEffectNoir() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectNoir")
    }

    /// Cool colours as of film developed otherwise.
    public class func photoEffectProcess() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectProcess")
    }

    /// Black and white with soft tones.
    public class func photoEffectTonal() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectTonal")
    }

    /// Warm colours as of an old print.
    public class func photoEffectTransfer() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectTransfer")
    }

    /// Brown as old photos.
    public class func sepiaTone() -> any CIFilter & CISepiaTone {
        BuiltinFilter.named("CISepiaTone")
    }

    /// Shades of one colour.
    public class func colorMonochrome() -> any CIFilter & CIColorMonochrome {
        BuiltinFilter.named("CIColorMonochrome")
    }

    /// A negative, of light.
    public class func colorInvert() -> any CIFilter & CIColorInvert {
        BuiltinFilter.named("CIColorInvert")
    }

    /// Darker corners.
    public class func vignette() -> any CIFilter & CIVignette { BuiltinFilter.named("CIVignette") }

    /// More or less light.
    public class func exposureAdjust() -> any CIFilter & CIExposureAdjust {
        BuiltinFilter.named("CIExposureAdjust")
    }

    /// Saturation, brightness and contrast.
    public class func colorControls() -> any CIFilter & CIColorControls {
        BuiltinFilter.named("CIColorControls")
    }

    /// Saturation of dull colours.
    public class func vibrance() -> any CIFilter & CIVibrance { BuiltinFilter.named("CIVibrance") }

    /// Another white.
    public class func temperatureAndTint() -> any CIFilter & CITemperatureAndTint {
        BuiltinFilter.named("CITemperatureAndTint")
    }

    /// Lights and shadows apart.
    public class func highlightShadowAdjust() -> any CIFilter & CIHighlightShadowAdjust {
        BuiltinFilter.named("CIHighlightShadowAdjust")
    }

    /// A curve through five points.
    public class func toneCurve() -> any CIFilter & CIToneCurve {
        BuiltinFilter.named("CIToneCurve")
    }

    /// Other hues.
    public class func hueAdjust() -> any CIFilter & CIHueAdjust {
        BuiltinFilter.named("CIHueAdjust")
    }

    /// Colours to a power.
    public class func gammaAdjust() -> any CIFilter & CIGammaAdjust {
        BuiltinFilter.named("CIGammaAdjust")
    }

    /// Colours made of others.
    public class func colorMatrix() -> any CIFilter & CIColorMatrix {
        BuiltinFilter.named("CIColorMatrix")
    }

    /// A blur.
    public class func gaussianBlur() -> any CIFilter & CIGaussianBlur {
        BuiltinFilter.named("CIGaussianBlur")
    }

    /// Sharper luminance.
    public class func sharpenLuminance() -> any CIFilter & CISharpenLuminance {
        BuiltinFilter.named("CISharpenLuminance")
    }

    /// Sharper colours.
    public class func unsharpMask() -> any CIFilter & CIUnsharpMask {
        BuiltinFilter.named("CIUnsharpMask")
    }

    /// A horizon made level.
    public class func straighten() -> any CIFilter & CIStraighten {
        BuiltinFilter.named("CIStraightenFilter")
    }

    /// Another size.
    public class func lanczosScaleTransform() -> any CIFilter & CILanczosScaleTransform {
        BuiltinFilter.named("CILanczosScaleTransform")
    }

    /// One picture on another.
    public class func sourceOverCompositing() -> any CIFilter & CICompositeOperation {
        BuiltinFilter.named("CISourceOverCompositing")
    }

    /// One colour everywhere.
    public class func constantColorGenerator() -> any CIFilter & CIConstantColorGenerator {
        BuiltinFilter.named("CIConstantColorGenerator")
    }
}
