// Core Image's keys for inputs, attributes and categories.

/// The key of the output image.
public let kCIOutputImageKey = "outputImage"
/// The key of the input image.
public let kCIInputImageKey = "inputImage"
/// The key of the background image.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"
/// The key of an effect's intensity.
public let kCIInputIntensityKey = "inputIntensity"
/// The key of a radius in pixels.
public let kCIInputRadiusKey = "inputRadius"
/// The key of an angle in radians.
public let kCIInputAngleKey = "inputAngle"
/// The key of a color.
public let kCIInputColorKey = "inputColor"
/// The key of a saturation factor; 1 leaves colors unchanged.
public let kCIInputSaturationKey = "inputSaturation"
/// The key of a brightness offset that is added to each component.
public let kCIInputBrightnessKey = "inputBrightness"
/// The key of a contrast factor around the middle value; 1 leaves colors unchanged.
public let kCIInputContrastKey = "inputContrast"
/// The key of an exposure adjustment in stops.
public let kCIInputEVKey = "inputEV"
/// The key of an amount of sharpening.
public let kCIInputSharpnessKey = "inputSharpness"
/// The key of a scale factor.
public let kCIInputScaleKey = "inputScale"
/// The key of a factor that applies to the width in addition to the scale.
public let kCIInputAspectRatioKey = "inputAspectRatio"
/// The key of a transform.
public let kCIInputTransformKey = "inputTransform"
/// The key of an effect's amount.
public let kCIInputAmountKey = "inputAmount"
/// The key of a bias vector, which is added to the color components.
public let kCIInputBiasVectorKey = "inputBiasVector"

/// The attribute key of a filter's name.
public let kCIAttributeFilterName = "CIAttributeFilterName"
/// The attribute key of a filter's display name.
public let kCIAttributeFilterDisplayName = "CIAttributeFilterDisplayName"
/// The attribute key of a filter's categories.
public let kCIAttributeFilterCategories = "CIAttributeFilterCategories"
/// The attribute key of a description.
public let kCIAttributeDescription = "CIAttributeDescription"
/// The attribute key of an input's name, which is the key of the input, such as `inputIntensity`.
public let kCIAttributeName = "CIAttributeName"
/// The attribute key of an input's display name.
public let kCIAttributeDisplayName = "CIAttributeDisplayName"
/// The attribute key of the class of an input's value.
public let kCIAttributeClass = "CIAttributeClass"
/// The attribute key of an input's type.
public let kCIAttributeType = "CIAttributeType"
/// The attribute key of the minimum value.
public let kCIAttributeMin = "CIAttributeMin"
/// The attribute key of the maximum value.
public let kCIAttributeMax = "CIAttributeMax"
/// The attribute key of a slider's minimum value.
public let kCIAttributeSliderMin = "CIAttributeSliderMin"
/// The attribute key of a slider's maximum value.
public let kCIAttributeSliderMax = "CIAttributeSliderMax"
/// The attribute key of the default value.
public let kCIAttributeDefault = "CIAttributeDefault"
/// The attribute key of the value that has no effect.
public let kCIAttributeIdentity = "CIAttributeIdentity"

/// The type of an arbitrary number.
public let kCIAttributeTypeScalar = "CIAttributeTypeScalar"
/// The type of a distance in pixels.
public let kCIAttributeTypeDistance = "CIAttributeTypeDistance"
/// The type of an angle in radians.
public let kCIAttributeTypeAngle = "CIAttributeTypeAngle"
/// The type of a point or an offset.
public let kCIAttributeTypeOffset = "CIAttributeTypeOffset"
/// The type of a rectangle.
public let kCIAttributeTypeRectangle = "CIAttributeTypeRectangle"
/// The type of a color.
public let kCIAttributeTypeColor = "CIAttributeTypeColor"
/// The type of an image.
public let kCIAttributeTypeImage = "CIAttributeTypeImage"
/// The type of a transform.
public let kCIAttributeTypeTransform = "CIAttributeTypeTransform"

/// The category of color effects.
public let kCICategoryColorEffect = "CICategoryColorEffect"
/// The category of color adjustments.
public let kCICategoryColorAdjustment = "CICategoryColorAdjustment"
/// The category of geometric transformations.
public let kCICategoryGeometryAdjustment = "CICategoryGeometryAdjustment"
/// The category of compositing filters.
public let kCICategoryCompositeOperation = "CICategoryCompositeOperation"
/// The category of blur filters.
public let kCICategoryBlur = "CICategoryBlur"
/// The category of sharpening filters.
public let kCICategorySharpen = "CICategorySharpen"
/// The category of image generators.
public let kCICategoryGenerator = "CICategoryGenerator"
/// The category of filters for still images, which contains all filters.
public let kCICategoryStillImage = "CICategoryStillImage"
/// The category of filters that are fast enough for video.
public let kCICategoryVideo = "CICategoryVideo"
/// The category of filters that support nonsquare pixels.
public let kCICategoryNonSquarePixels = "CICategoryNonSquarePixels"
/// The category of built-in filters, which contains all filters.
public let kCICategoryBuiltIn = "CICategoryBuiltIn"
