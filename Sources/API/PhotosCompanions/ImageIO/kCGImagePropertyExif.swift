// The keys of `kCGImagePropertyExifDictionary`: EXIF's names.

/// Seconds.
public var kCGImagePropertyExifExposureTime: CFString { "ExposureTime" }
/// The aperture.
public var kCGImagePropertyExifFNumber: CFString { "FNumber" }
/// The exposure program's number.
public var kCGImagePropertyExifExposureProgram: CFString { "ExposureProgram" }
/// The sensitivity by colour.
public var kCGImagePropertyExifSpectralSensitivity: CFString { "SpectralSensitivity" }
/// The sensor's speed: an array of integers.
public var kCGImagePropertyExifISOSpeedRatings: CFString { "ISOSpeedRatings" }
/// What the speed's number means.
public var kCGImagePropertyExifSensitivityType: CFString { "SensitivityType" }
/// The version of EXIF: an array of integers.
public var kCGImagePropertyExifVersion: CFString { "ExifVersion" }
/// When it was taken: `YYYY:MM:DD HH:MM:SS`.
public var kCGImagePropertyExifDateTimeOriginal: CFString { "DateTimeOriginal" }
/// When it was digitized.
public var kCGImagePropertyExifDateTimeDigitized: CFString { "DateTimeDigitized" }
/// The offset from UTC of the last change's time.
public var kCGImagePropertyExifOffsetTime: CFString { "OffsetTime" }
/// The offset from UTC of the time of capture.
public var kCGImagePropertyExifOffsetTimeOriginal: CFString { "OffsetTimeOriginal" }
/// The offset from UTC of the time of digitizing.
public var kCGImagePropertyExifOffsetTimeDigitized: CFString { "OffsetTimeDigitized" }
/// The order of the components.
public var kCGImagePropertyExifComponentsConfiguration: CFString { "ComponentsConfiguration" }
/// Bits of a pixel in the file.
public var kCGImagePropertyExifCompressedBitsPerPixel: CFString { "CompressedBitsPerPixel" }
/// The shutter speed as an APEX value.
public var kCGImagePropertyExifShutterSpeedValue: CFString { "ShutterSpeedValue" }
/// The aperture as an APEX value.
public var kCGImagePropertyExifApertureValue: CFString { "ApertureValue" }
/// The brightness as an APEX value.
public var kCGImagePropertyExifBrightnessValue: CFString { "BrightnessValue" }
/// The exposure's correction in stops.
public var kCGImagePropertyExifExposureBiasValue: CFString { "ExposureBiasValue" }
/// The lens's largest aperture as an APEX value.
public var kCGImagePropertyExifMaxApertureValue: CFString { "MaxApertureValue" }
/// Metres.
public var kCGImagePropertyExifSubjectDistance: CFString { "SubjectDistance" }
/// How light was measured.
public var kCGImagePropertyExifMeteringMode: CFString { "MeteringMode" }
/// The kind of light.
public var kCGImagePropertyExifLightSource: CFString { "LightSource" }
/// Whether and how the flash was used, in bits.
public var kCGImagePropertyExifFlash: CFString { "Flash" }
/// Millimetres.
public var kCGImagePropertyExifFocalLength: CFString { "FocalLength" }
/// Where the subject is: an array of integers.
public var kCGImagePropertyExifSubjectArea: CFString { "SubjectArea" }
/// Digits after the second of the last change.
public var kCGImagePropertyExifSubsecTime: CFString { "SubsecTime" }
/// Digits after the second of capture.
public var kCGImagePropertyExifSubsecTimeOriginal: CFString { "SubsecTimeOriginal" }
/// Digits after the second of digitizing.
public var kCGImagePropertyExifSubsecTimeDigitized: CFString { "SubsecTimeDigitized" }
/// The version of FlashPix: an array of integers.
public var kCGImagePropertyExifFlashPixVersion: CFString { "FlashPixVersion" }
/// 1 for sRGB, 65535 for another.
public var kCGImagePropertyExifColorSpace: CFString { "ColorSpace" }
/// Pixels across, as the camera wrote.
public var kCGImagePropertyExifPixelXDimension: CFString { "PixelXDimension" }
/// Pixels down, as the camera wrote.
public var kCGImagePropertyExifPixelYDimension: CFString { "PixelYDimension" }
/// The sensor's pixels across for each unit.
public var kCGImagePropertyExifFocalPlaneXResolution: CFString { "FocalPlaneXResolution" }
/// The sensor's pixels down for each unit.
public var kCGImagePropertyExifFocalPlaneYResolution: CFString { "FocalPlaneYResolution" }
/// The unit of the sensor's resolution.
public var kCGImagePropertyExifFocalPlaneResolutionUnit: CFString { "FocalPlaneResolutionUnit" }
/// The kind of sensor.
public var kCGImagePropertyExifSensingMethod: CFString { "SensingMethod" }
/// Where the picture comes from.
public var kCGImagePropertyExifFileSource: CFString { "FileSource" }
/// Whether it was photographed.
public var kCGImagePropertyExifSceneType: CFString { "SceneType" }
/// Whether and how it was processed.
public var kCGImagePropertyExifCustomRendered: CFString { "CustomRendered" }
/// How the exposure was set.
public var kCGImagePropertyExifExposureMode: CFString { "ExposureMode" }
/// How the white balance was set.
public var kCGImagePropertyExifWhiteBalance: CFString { "WhiteBalance" }
/// How far it was zoomed digitally.
public var kCGImagePropertyExifDigitalZoomRatio: CFString { "DigitalZoomRatio" }
/// Millimetres, as for a film of 35 mm.
public var kCGImagePropertyExifFocalLenIn35mmFilm: CFString { "FocalLenIn35mmFilm" }
/// The kind of scene.
public var kCGImagePropertyExifSceneCaptureType: CFString { "SceneCaptureType" }
/// How far the signal was amplified.
public var kCGImagePropertyExifGainControl: CFString { "GainControl" }
/// How contrast was processed.
public var kCGImagePropertyExifContrast: CFString { "Contrast" }
/// How saturation was processed.
public var kCGImagePropertyExifSaturation: CFString { "Saturation" }
/// How sharpness was processed.
public var kCGImagePropertyExifSharpness: CFString { "Sharpness" }
/// How far the subject was, roughly.
public var kCGImagePropertyExifSubjectDistRange: CFString { "SubjectDistRange" }
/// The picture's identifier.
public var kCGImagePropertyExifImageUniqueID: CFString { "ImageUniqueID" }
/// Whose camera it is.
public var kCGImagePropertyExifCameraOwnerName: CFString { "CameraOwnerName" }
/// The camera's number.
public var kCGImagePropertyExifBodySerialNumber: CFString { "BodySerialNumber" }
/// The lens's range: an array of numbers.
public var kCGImagePropertyExifLensSpecification: CFString { "LensSpecification" }
/// Who made the lens.
public var kCGImagePropertyExifLensMake: CFString { "LensMake" }
/// The lens.
public var kCGImagePropertyExifLensModel: CFString { "LensModel" }
/// The lens's number.
public var kCGImagePropertyExifLensSerialNumber: CFString { "LensSerialNumber" }
/// A comment.
public var kCGImagePropertyExifUserComment: CFString { "UserComment" }
/// The conversion of light to numbers; not read.
public var kCGImagePropertyExifOECF: CFString {
    "OECF"
}
/// The sensitivity by the standard output's measure.
public var kCGImagePropertyExifStandardOutputSensitivity: CFString {
    "StandardOutputSensitivity"
}
/// The sensitivity that the maker recommends.
public var kCGImagePropertyExifRecommendedExposureIndex: CFString {
    "RecommendedExposureIndex"
}
/// The speed by ISO 12232.
public var kCGImagePropertyExifISOSpeed: CFString {
    "ISOSpeed"
}
/// The speed's lower latitude.
public var kCGImagePropertyExifISOSpeedLatitudeyyy: CFString {
    "ISOSpeedLatitudeyyy"
}
/// The speed's upper latitude.
public var kCGImagePropertyExifISOSpeedLatitudezzz: CFString {
    "ISOSpeedLatitudezzz"
}
/// The maker's own notes; not read.
public var kCGImagePropertyExifMakerNote: CFString {
    "MakerNote"
}
/// The name of a file of sound.
public var kCGImagePropertyExifRelatedSoundFile: CFString {
    "RelatedSoundFile"
}
/// The flash's energy.
public var kCGImagePropertyExifFlashEnergy: CFString {
    "FlashEnergy"
}
/// The response to frequencies; not read.
public var kCGImagePropertyExifSpatialFrequencyResponse: CFString {
    "SpatialFrequencyResponse"
}
/// Where the subject is: an array of two integers.
public var kCGImagePropertyExifSubjectLocation: CFString {
    "SubjectLocation"
}
/// The camera's exposure index.
public var kCGImagePropertyExifExposureIndex: CFString {
    "ExposureIndex"
}
/// The sensor's pattern of colors; not read.
public var kCGImagePropertyExifCFAPattern: CFString {
    "CFAPattern"
}
/// The camera's settings; not read.
public var kCGImagePropertyExifDeviceSettingDescription: CFString {
    "DeviceSettingDescription"
}
/// The gamma coefficient.
public var kCGImagePropertyExifGamma: CFString {
    "Gamma"
}
/// Whether it was put together of several pictures.
public var kCGImagePropertyExifCompositeImage: CFString {
    "CompositeImage"
}
/// How many those are: an array of integers.
public var kCGImagePropertyExifSourceImageNumberOfCompositeImage: CFString {
    "SourceImageNumberOfCompositeImage"
}
/// Their exposures; not read.
public var kCGImagePropertyExifSourceExposureTimesOfCompositeImage: CFString {
    "SourceExposureTimesOfCompositeImage"
}
