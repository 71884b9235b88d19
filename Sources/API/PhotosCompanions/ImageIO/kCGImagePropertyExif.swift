// The keys of `kCGImagePropertyExifDictionary`, named as in EXIF.

/// The key of the exposure time in seconds.
public var kCGImagePropertyExifExposureTime: CFString { "ExposureTime" }
/// The key of the f-number.
public var kCGImagePropertyExifFNumber: CFString { "FNumber" }
/// The key of the exposure program: a number.
public var kCGImagePropertyExifExposureProgram: CFString { "ExposureProgram" }
/// The key of the spectral sensitivity.
public var kCGImagePropertyExifSpectralSensitivity: CFString { "SpectralSensitivity" }
/// The key of the ISO speed ratings: an array of integers.
public var kCGImagePropertyExifISOSpeedRatings: CFString { "ISOSpeedRatings" }
/// The key of the sensitivity type: the ISO 12232 quantity that the ISO speed ratings specify, such
/// as the recommended exposure index.
public var kCGImagePropertyExifSensitivityType: CFString { "SensitivityType" }
/// The key of the EXIF version: an array of integers.
public var kCGImagePropertyExifVersion: CFString { "ExifVersion" }
/// The key of the capture date: `YYYY:MM:DD HH:MM:SS`.
public var kCGImagePropertyExifDateTimeOriginal: CFString { "DateTimeOriginal" }
/// The key of the digitization date.
public var kCGImagePropertyExifDateTimeDigitized: CFString { "DateTimeDigitized" }
/// The key of the modification date's offset from UTC.
public var kCGImagePropertyExifOffsetTime: CFString { "OffsetTime" }
/// The key of the capture date's offset from UTC.
public var kCGImagePropertyExifOffsetTimeOriginal: CFString { "OffsetTimeOriginal" }
/// The key of the digitization date's offset from UTC.
public var kCGImagePropertyExifOffsetTimeDigitized: CFString { "OffsetTimeDigitized" }
/// The key of the order of the color components.
public var kCGImagePropertyExifComponentsConfiguration: CFString { "ComponentsConfiguration" }
/// The key of the number of bits per pixel in the file.
public var kCGImagePropertyExifCompressedBitsPerPixel: CFString { "CompressedBitsPerPixel" }
/// The key of the shutter speed as an APEX value.
public var kCGImagePropertyExifShutterSpeedValue: CFString { "ShutterSpeedValue" }
/// The key of the aperture as an APEX value.
public var kCGImagePropertyExifApertureValue: CFString { "ApertureValue" }
/// The key of the brightness as an APEX value.
public var kCGImagePropertyExifBrightnessValue: CFString { "BrightnessValue" }
/// The key of the exposure compensation in stops.
public var kCGImagePropertyExifExposureBiasValue: CFString { "ExposureBiasValue" }
/// The key of the lens's largest aperture as an APEX value.
public var kCGImagePropertyExifMaxApertureValue: CFString { "MaxApertureValue" }
/// The key of the subject distance in meters.
public var kCGImagePropertyExifSubjectDistance: CFString { "SubjectDistance" }
/// The key of the metering mode.
public var kCGImagePropertyExifMeteringMode: CFString { "MeteringMode" }
/// The key of the light source.
public var kCGImagePropertyExifLightSource: CFString { "LightSource" }
/// The key of the flash mode and state as a bit field.
public var kCGImagePropertyExifFlash: CFString { "Flash" }
/// The key of the focal length in millimeters.
public var kCGImagePropertyExifFocalLength: CFString { "FocalLength" }
/// The key of the subject area: an array of integers.
public var kCGImagePropertyExifSubjectArea: CFString { "SubjectArea" }
/// The key of the modification date's fraction of a second, as digits.
public var kCGImagePropertyExifSubsecTime: CFString { "SubsecTime" }
/// The key of the capture date's fraction of a second, as digits.
public var kCGImagePropertyExifSubsecTimeOriginal: CFString { "SubsecTimeOriginal" }
/// The key of the digitization date's fraction of a second, as digits.
public var kCGImagePropertyExifSubsecTimeDigitized: CFString { "SubsecTimeDigitized" }
/// The key of the FlashPix version: an array of integers.
public var kCGImagePropertyExifFlashPixVersion: CFString { "FlashPixVersion" }
/// The key of the color space: 1 for sRGB, 65535 for any other.
public var kCGImagePropertyExifColorSpace: CFString { "ColorSpace" }
/// The key of the image's width in pixels, as recorded by the camera.
public var kCGImagePropertyExifPixelXDimension: CFString { "PixelXDimension" }
/// The key of the image's height in pixels, as recorded by the camera.
public var kCGImagePropertyExifPixelYDimension: CFString { "PixelYDimension" }
/// The key of the sensor's horizontal resolution in pixels per unit.
public var kCGImagePropertyExifFocalPlaneXResolution: CFString { "FocalPlaneXResolution" }
/// The key of the sensor's vertical resolution in pixels per unit.
public var kCGImagePropertyExifFocalPlaneYResolution: CFString { "FocalPlaneYResolution" }
/// The key of the unit of the sensor's resolution.
public var kCGImagePropertyExifFocalPlaneResolutionUnit: CFString { "FocalPlaneResolutionUnit" }
/// The key of the sensor type.
public var kCGImagePropertyExifSensingMethod: CFString { "SensingMethod" }
/// The key of the type of device that produced the image, such as a digital camera or a scanner.
public var kCGImagePropertyExifFileSource: CFString { "FileSource" }
/// The key of the scene type, which indicates whether the image was photographed directly.
public var kCGImagePropertyExifSceneType: CFString { "SceneType" }
/// The key of the value that indicates whether the camera applied special processing.
public var kCGImagePropertyExifCustomRendered: CFString { "CustomRendered" }
/// The key of the exposure mode.
public var kCGImagePropertyExifExposureMode: CFString { "ExposureMode" }
/// The key of the white balance mode.
public var kCGImagePropertyExifWhiteBalance: CFString { "WhiteBalance" }
/// The key of the digital zoom ratio.
public var kCGImagePropertyExifDigitalZoomRatio: CFString { "DigitalZoomRatio" }
/// The key of the 35 mm equivalent focal length in millimeters.
public var kCGImagePropertyExifFocalLenIn35mmFilm: CFString { "FocalLenIn35mmFilm" }
/// The key of the scene capture type.
public var kCGImagePropertyExifSceneCaptureType: CFString { "SceneCaptureType" }
/// The key of the degree of gain adjustment.
public var kCGImagePropertyExifGainControl: CFString { "GainControl" }
/// The key of the contrast processing.
public var kCGImagePropertyExifContrast: CFString { "Contrast" }
/// The key of the saturation processing.
public var kCGImagePropertyExifSaturation: CFString { "Saturation" }
/// The key of the sharpness processing.
public var kCGImagePropertyExifSharpness: CFString { "Sharpness" }
/// The key of the subject distance range, a rough distance to the subject.
public var kCGImagePropertyExifSubjectDistRange: CFString { "SubjectDistRange" }
/// The key of the image's unique identifier.
public var kCGImagePropertyExifImageUniqueID: CFString { "ImageUniqueID" }
/// The key of the camera owner's name.
public var kCGImagePropertyExifCameraOwnerName: CFString { "CameraOwnerName" }
/// The key of the camera's serial number.
public var kCGImagePropertyExifBodySerialNumber: CFString { "BodySerialNumber" }
/// The key of the lens specification: an array of numbers.
public var kCGImagePropertyExifLensSpecification: CFString { "LensSpecification" }
/// The key of the lens manufacturer.
public var kCGImagePropertyExifLensMake: CFString { "LensMake" }
/// The key of the lens model.
public var kCGImagePropertyExifLensModel: CFString { "LensModel" }
/// The key of the lens's serial number.
public var kCGImagePropertyExifLensSerialNumber: CFString { "LensSerialNumber" }
/// The key of a user comment.
public var kCGImagePropertyExifUserComment: CFString { "UserComment" }
/// The key of the opto-electronic conversion function, which is not read from files.
public var kCGImagePropertyExifOECF: CFString {
    "OECF"
}
/// The key of the standard output sensitivity.
public var kCGImagePropertyExifStandardOutputSensitivity: CFString {
    "StandardOutputSensitivity"
}
/// The key of the recommended exposure index.
public var kCGImagePropertyExifRecommendedExposureIndex: CFString {
    "RecommendedExposureIndex"
}
/// The key of the ISO speed as defined by ISO 12232.
public var kCGImagePropertyExifISOSpeed: CFString {
    "ISOSpeed"
}
/// The key of the ISO speed latitude yyy (the lower latitude).
public var kCGImagePropertyExifISOSpeedLatitudeyyy: CFString {
    "ISOSpeedLatitudeyyy"
}
/// The key of the ISO speed latitude zzz (the upper latitude).
public var kCGImagePropertyExifISOSpeedLatitudezzz: CFString {
    "ISOSpeedLatitudezzz"
}
/// The key of the maker note, which is not read from files.
public var kCGImagePropertyExifMakerNote: CFString {
    "MakerNote"
}
/// The key of the name of a related audio file.
public var kCGImagePropertyExifRelatedSoundFile: CFString {
    "RelatedSoundFile"
}
/// The key of the flash energy.
public var kCGImagePropertyExifFlashEnergy: CFString {
    "FlashEnergy"
}
/// The key of the spatial frequency response, which is not read from files.
public var kCGImagePropertyExifSpatialFrequencyResponse: CFString {
    "SpatialFrequencyResponse"
}
/// The key of the subject location: an array of two integers.
public var kCGImagePropertyExifSubjectLocation: CFString {
    "SubjectLocation"
}
/// The key of the exposure index.
public var kCGImagePropertyExifExposureIndex: CFString {
    "ExposureIndex"
}
/// The key of the sensor's color filter array pattern, which is not read from files.
public var kCGImagePropertyExifCFAPattern: CFString {
    "CFAPattern"
}
/// The key of the device settings, which is not read from files.
public var kCGImagePropertyExifDeviceSettingDescription: CFString {
    "DeviceSettingDescription"
}
/// The key of the gamma coefficient.
public var kCGImagePropertyExifGamma: CFString {
    "Gamma"
}
/// The key of the value that indicates whether the image is a composite of several images.
public var kCGImagePropertyExifCompositeImage: CFString {
    "CompositeImage"
}
/// The key of the numbers of source images captured and used for a composite: an array of integers.
public var kCGImagePropertyExifSourceImageNumberOfCompositeImage: CFString {
    "SourceImageNumberOfCompositeImage"
}
/// The key of the exposure times of a composite's source images; these times are not read from
/// files.
public var kCGImagePropertyExifSourceExposureTimesOfCompositeImage: CFString {
    "SourceExposureTimesOfCompositeImage"
}
