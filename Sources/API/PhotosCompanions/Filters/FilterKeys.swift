// Core Image's names of inputs, attributes and categories.

/// The picture that a filter makes.
public let kCIOutputImageKey = "outputImage"
/// The picture that a filter works on.
public let kCIInputImageKey = "inputImage"
/// The picture behind.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"
/// How strong an effect is.
public let kCIInputIntensityKey = "inputIntensity"
/// A distance in pixels.
public let kCIInputRadiusKey = "inputRadius"
/// An angle in radians.
public let kCIInputAngleKey = "inputAngle"
/// A colour.
public let kCIInputColorKey = "inputColor"
/// How saturated: 1 as it is.
public let kCIInputSaturationKey = "inputSaturation"
/// What is added to each colour.
public let kCIInputBrightnessKey = "inputBrightness"
/// How far colours are from the middle: 1 as they are.
public let kCIInputContrastKey = "inputContrast"
/// Stops of exposure.
public let kCIInputEVKey = "inputEV"
/// How sharp.
public let kCIInputSharpnessKey = "inputSharpness"
/// A factor of size.
public let kCIInputScaleKey = "inputScale"
/// A factor of width beside the scale.
public let kCIInputAspectRatioKey = "inputAspectRatio"
/// A transform.
public let kCIInputTransformKey = "inputTransform"
/// How much of an effect.
public let kCIInputAmountKey = "inputAmount"
/// A vector that is added.
public let kCIInputBiasVectorKey = "inputBiasVector"

/// A filter's name.
public let kCIAttributeFilterName = "CIAttributeFilterName"
/// A filter's name for people.
public let kCIAttributeFilterDisplayName = "CIAttributeFilterDisplayName"
/// A filter's categories.
public let kCIAttributeFilterCategories = "CIAttributeFilterCategories"
/// What something is for.
public let kCIAttributeDescription = "CIAttributeDescription"
/// An input's key.
public let kCIAttributeName = "CIAttributeName"
/// An input's name for people.
public let kCIAttributeDisplayName = "CIAttributeDisplayName"
/// The class of an input's value.
public let kCIAttributeClass = "CIAttributeClass"
/// What kind of value an input takes.
public let kCIAttributeType = "CIAttributeType"
/// The least value.
public let kCIAttributeMin = "CIAttributeMin"
/// The greatest value.
public let kCIAttributeMax = "CIAttributeMax"
/// The least value that a person is offered.
public let kCIAttributeSliderMin = "CIAttributeSliderMin"
/// The greatest value that a person is offered.
public let kCIAttributeSliderMax = "CIAttributeSliderMax"
/// The value before one is set.
public let kCIAttributeDefault = "CIAttributeDefault"
/// The value that changes nothing.
public let kCIAttributeIdentity = "CIAttributeIdentity"

/// Any number.
public let kCIAttributeTypeScalar = "CIAttributeTypeScalar"
/// A distance in pixels.
public let kCIAttributeTypeDistance = "CIAttributeTypeDistance"
/// An angle in radians.
public let kCIAttributeTypeAngle = "CIAttributeTypeAngle"
/// A point or an offset.
public let kCIAttributeTypeOffset = "CIAttributeTypeOffset"
/// A rectangle.
public let kCIAttributeTypeRectangle = "CIAttributeTypeRectangle"
/// A colour.
public let kCIAttributeTypeColor = "CIAttributeTypeColor"
/// A picture.
public let kCIAttributeTypeImage = "CIAttributeTypeImage"
/// A transform.
public let kCIAttributeTypeTransform = "CIAttributeTypeTransform"

/// Filters that change colours for a look.
public let kCICategoryColorEffect = "CICategoryColorEffect"
/// Filters that mend colours.
public let kCICategoryColorAdjustment = "CICategoryColorAdjustment"
/// Filters that change where pixels lie.
public let kCICategoryGeometryAdjustment = "CICategoryGeometryAdjustment"
/// Filters that lay pictures on others.
public let kCICategoryCompositeOperation = "CICategoryCompositeOperation"
/// Filters that blur.
public let kCICategoryBlur = "CICategoryBlur"
/// Filters that sharpen.
public let kCICategorySharpen = "CICategorySharpen"
/// Filters that make a picture of nothing.
public let kCICategoryGenerator = "CICategoryGenerator"
/// Filters for stills: all of them.
public let kCICategoryStillImage = "CICategoryStillImage"
/// Filters that are quick enough for the frames of movies.
public let kCICategoryVideo = "CICategoryVideo"
/// Filters that do not mind what shape a pixel has.
public let kCICategoryNonSquarePixels = "CICategoryNonSquarePixels"
/// Filters that come with the library: all of them.
public let kCICategoryBuiltIn = "CICategoryBuiltIn"
