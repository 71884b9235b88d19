extension CIFilter {
    /// Returns a filter that increases saturation and contrast.
    public class func photoEffectChrome() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectChrome")
    }

    /// Returns a filter that makes colors look faded.
    public class func photoEffectFade() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectFade")
    }

    /// Returns a filter that imitates an instant camera.
    public class func photoEffectInstant() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectInstant")
    }

    /// Returns a black-and-white filter with low contrast.
    public class func photoEffectMono() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectMono")
    }

    /// Returns a black-and-white filter with high contrast.
    public class func photoEffectNoir() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectNoir")
    }

    /// Returns a filter with the cool colors of cross-processed film.
    public class func photoEffectProcess() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectProcess")
    }

    /// Returns a black-and-white filter with soft tones.
    public class func photoEffectTonal() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectTonal")
    }

    /// Returns a filter with the warm colors of an old print.
    public class func photoEffectTransfer() -> any CIFilter & CIPhotoEffect {
        BuiltinFilter.named("CIPhotoEffectTransfer")
    }

    /// Returns a filter with the brown tones of old photos.
    public class func sepiaTone() -> any CIFilter & CISepiaTone {
        BuiltinFilter.named("CISepiaTone")
    }

    /// Returns a filter that renders the image in shades of one color.
    public class func colorMonochrome() -> any CIFilter & CIColorMonochrome {
        BuiltinFilter.named("CIColorMonochrome")
    }

    /// Returns a filter that inverts linear color values.
    public class func colorInvert() -> any CIFilter & CIColorInvert {
        BuiltinFilter.named("CIColorInvert")
    }

    /// Returns a filter that darkens the corners.
    public class func vignette() -> any CIFilter & CIVignette { BuiltinFilter.named("CIVignette") }

    /// Returns a filter that adjusts exposure.
    public class func exposureAdjust() -> any CIFilter & CIExposureAdjust {
        BuiltinFilter.named("CIExposureAdjust")
    }

    /// Returns a filter that adjusts saturation, brightness and contrast.
    public class func colorControls() -> any CIFilter & CIColorControls {
        BuiltinFilter.named("CIColorControls")
    }

    /// Returns a filter that adjusts the saturation of dull colors.
    public class func vibrance() -> any CIFilter & CIVibrance { BuiltinFilter.named("CIVibrance") }

    /// Returns a filter that adjusts the white balance.
    public class func temperatureAndTint() -> any CIFilter & CITemperatureAndTint {
        BuiltinFilter.named("CITemperatureAndTint")
    }

    /// Returns a filter that adjusts highlights and shadows separately.
    public class func highlightShadowAdjust() -> any CIFilter & CIHighlightShadowAdjust {
        BuiltinFilter.named("CIHighlightShadowAdjust")
    }

    /// Returns a filter that applies a tone curve through five points.
    public class func toneCurve() -> any CIFilter & CIToneCurve {
        BuiltinFilter.named("CIToneCurve")
    }

    /// Returns a filter that rotates hues.
    public class func hueAdjust() -> any CIFilter & CIHueAdjust {
        BuiltinFilter.named("CIHueAdjust")
    }

    /// Returns a filter that raises color values to a power.
    public class func gammaAdjust() -> any CIFilter & CIGammaAdjust {
        BuiltinFilter.named("CIGammaAdjust")
    }

    /// Returns a filter that multiplies color values by a matrix.
    public class func colorMatrix() -> any CIFilter & CIColorMatrix {
        BuiltinFilter.named("CIColorMatrix")
    }

    /// Returns a filter that applies a Gaussian blur.
    public class func gaussianBlur() -> any CIFilter & CIGaussianBlur {
        BuiltinFilter.named("CIGaussianBlur")
    }

    /// Returns a filter that sharpens luminance.
    public class func sharpenLuminance() -> any CIFilter & CISharpenLuminance {
        BuiltinFilter.named("CISharpenLuminance")
    }

    /// Returns a filter that sharpens with an unsharp mask.
    public class func unsharpMask() -> any CIFilter & CIUnsharpMask {
        BuiltinFilter.named("CIUnsharpMask")
    }

    /// Returns a filter that straightens the horizon.
    public class func straighten() -> any CIFilter & CIStraighten {
        BuiltinFilter.named("CIStraightenFilter")
    }

    /// Returns a filter that resizes the image.
    public class func lanczosScaleTransform() -> any CIFilter & CILanczosScaleTransform {
        BuiltinFilter.named("CILanczosScaleTransform")
    }

    /// Returns a filter that composites one image over another.
    public class func sourceOverCompositing() -> any CIFilter & CICompositeOperation {
        BuiltinFilter.named("CISourceOverCompositing")
    }

    /// Returns a filter that generates an infinite image of one color.
    public class func constantColorGenerator() -> any CIFilter & CIConstantColorGenerator {
        BuiltinFilter.named("CIConstantColorGenerator")
    }
}
