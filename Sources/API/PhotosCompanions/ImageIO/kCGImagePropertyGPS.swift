// The keys of `kCGImagePropertyGPSDictionary`.

/// The version: an array of integers.
public var kCGImagePropertyGPSVersion: CFString { "GPSVersion" }
/// N or S.
public var kCGImagePropertyGPSLatitudeRef: CFString { "LatitudeRef" }
/// Degrees, not negative.
public var kCGImagePropertyGPSLatitude: CFString { "Latitude" }
/// E or W.
public var kCGImagePropertyGPSLongitudeRef: CFString { "LongitudeRef" }
/// Degrees, not negative.
public var kCGImagePropertyGPSLongitude: CFString { "Longitude" }
/// 1 for below the sea.
public var kCGImagePropertyGPSAltitudeRef: CFString { "AltitudeRef" }
/// Metres, not negative.
public var kCGImagePropertyGPSAltitude: CFString { "Altitude" }
/// The satellites' time: `HH:MM:SS`, UTC.
public var kCGImagePropertyGPSTimeStamp: CFString { "TimeStamp" }
/// The satellites.
public var kCGImagePropertyGPSSatellites: CFString { "Satellites" }
/// A for a measurement under way, V for one that has ended.
public var kCGImagePropertyGPSStatus: CFString { "Status" }
/// 2 or 3 dimensions.
public var kCGImagePropertyGPSMeasureMode: CFString { "MeasureMode" }
/// The measurement's precision.
public var kCGImagePropertyGPSDOP: CFString { "DOP" }
/// The unit of speed: K, M or N.
public var kCGImagePropertyGPSSpeedRef: CFString { "SpeedRef" }
/// The speed in that unit.
public var kCGImagePropertyGPSSpeed: CFString { "Speed" }
/// T for true, M for magnetic north.
public var kCGImagePropertyGPSTrackRef: CFString { "TrackRef" }
/// Where it moved, in degrees.
public var kCGImagePropertyGPSTrack: CFString { "Track" }
/// T for true, M for magnetic north.
public var kCGImagePropertyGPSImgDirectionRef: CFString { "ImgDirectionRef" }
/// Where the camera looked, in degrees.
public var kCGImagePropertyGPSImgDirection: CFString { "ImgDirection" }
/// The survey that positions are of.
public var kCGImagePropertyGPSMapDatum: CFString { "MapDatum" }
/// T for true, M for magnetic north.
public var kCGImagePropertyGPSDestBearingRef: CFString { "DestBearingRef" }
/// Where the destination is, in degrees.
public var kCGImagePropertyGPSDestBearing: CFString { "DestBearing" }
/// The satellites' date: `YYYY:MM:DD`.
public var kCGImagePropertyGPSDateStamp: CFString { "DateStamp" }
/// Whether it was corrected.
public var kCGImagePropertyGPSDifferental: CFString { "Differential" }
/// Metres.
public var kCGImagePropertyGPSHPositioningError: CFString { "HPositioningError" }
/// N or S of the destination.
public var kCGImagePropertyGPSDestLatitudeRef: CFString { "DestLatitudeRef" }
/// The destination's degrees, not negative.
public var kCGImagePropertyGPSDestLatitude: CFString { "DestLatitude" }
/// E or W of the destination.
public var kCGImagePropertyGPSDestLongitudeRef: CFString { "DestLongitudeRef" }
/// The destination's degrees, not negative.
public var kCGImagePropertyGPSDestLongitude: CFString { "DestLongitude" }
/// The unit of the distance: K, M or N.
public var kCGImagePropertyGPSDestDistanceRef: CFString { "DestDistanceRef" }
/// How far the destination is.
public var kCGImagePropertyGPSDestDistance: CFString { "DestDistance" }
/// How the place was found; not read.
public var kCGImagePropertyGPSProcessingMethod: CFString { "ProcessingMethod" }
/// The name of the area; not read.
public var kCGImagePropertyGPSAreaInformation: CFString { "AreaInformation" }
