// The keys of `kCGImagePropertyGPSDictionary`.

/// The key of the GPS version: an array of integers.
public var kCGImagePropertyGPSVersion: CFString { "GPSVersion" }
/// The key of the latitude's reference: `N` or `S`.
public var kCGImagePropertyGPSLatitudeRef: CFString { "LatitudeRef" }
/// The key of the latitude in degrees, never negative.
public var kCGImagePropertyGPSLatitude: CFString { "Latitude" }
/// The key of the longitude's reference: `E` or `W`.
public var kCGImagePropertyGPSLongitudeRef: CFString { "LongitudeRef" }
/// The key of the longitude in degrees, never negative.
public var kCGImagePropertyGPSLongitude: CFString { "Longitude" }
/// The key of the altitude's reference: 1 for below sea level.
public var kCGImagePropertyGPSAltitudeRef: CFString { "AltitudeRef" }
/// The key of the altitude in meters, never negative.
public var kCGImagePropertyGPSAltitude: CFString { "Altitude" }
/// The key of the GPS time: `HH:MM:SS`, UTC.
public var kCGImagePropertyGPSTimeStamp: CFString { "TimeStamp" }
/// The key of the satellites used.
public var kCGImagePropertyGPSSatellites: CFString { "Satellites" }
/// The key of the receiver's status: `A` while measuring, `V` if the measurement was interrupted.
public var kCGImagePropertyGPSStatus: CFString { "Status" }
/// The key of the number of measured dimensions: 2 or 3.
public var kCGImagePropertyGPSMeasureMode: CFString { "MeasureMode" }
/// The key of the dilution of precision.
public var kCGImagePropertyGPSDOP: CFString { "DOP" }
/// The key of the unit of speed: `K` for km/h, `M` for mph, `N` for knots.
public var kCGImagePropertyGPSSpeedRef: CFString { "SpeedRef" }
/// The key of the speed, in the unit that ``kCGImagePropertyGPSSpeedRef`` states.
public var kCGImagePropertyGPSSpeed: CFString { "Speed" }
/// The key of the track's reference: `T` for true, `M` for magnetic north.
public var kCGImagePropertyGPSTrackRef: CFString { "TrackRef" }
/// The key of the direction of movement in degrees.
public var kCGImagePropertyGPSTrack: CFString { "Track" }
/// The key of the image direction's reference: `T` for true, `M` for magnetic north.
public var kCGImagePropertyGPSImgDirectionRef: CFString { "ImgDirectionRef" }
/// The key of the direction of the camera in degrees.
public var kCGImagePropertyGPSImgDirection: CFString { "ImgDirection" }
/// The key of the geodetic datum.
public var kCGImagePropertyGPSMapDatum: CFString { "MapDatum" }
/// The key of the destination bearing's reference: `T` for true, `M` for magnetic north.
public var kCGImagePropertyGPSDestBearingRef: CFString { "DestBearingRef" }
/// The key of the bearing to the destination in degrees.
public var kCGImagePropertyGPSDestBearing: CFString { "DestBearing" }
/// The key of the GPS date: `YYYY:MM:DD`.
public var kCGImagePropertyGPSDateStamp: CFString { "DateStamp" }
/// The key of the value that indicates whether differential correction was applied.
public var kCGImagePropertyGPSDifferental: CFString { "Differential" }
/// The key of the horizontal positioning error in meters.
public var kCGImagePropertyGPSHPositioningError: CFString { "HPositioningError" }
/// The key of the destination latitude's reference: `N` or `S`.
public var kCGImagePropertyGPSDestLatitudeRef: CFString { "DestLatitudeRef" }
/// The key of the destination's latitude in degrees, never negative.
public var kCGImagePropertyGPSDestLatitude: CFString { "DestLatitude" }
/// The key of the destination longitude's reference: `E` or `W`.
public var kCGImagePropertyGPSDestLongitudeRef: CFString { "DestLongitudeRef" }
/// The key of the destination's longitude in degrees, never negative.
public var kCGImagePropertyGPSDestLongitude: CFString { "DestLongitude" }
/// The key of the unit of the destination's distance: `K` for kilometers, `M` for miles, `N` for
/// nautical miles.
public var kCGImagePropertyGPSDestDistanceRef: CFString { "DestDistanceRef" }
/// The key of the distance to the destination, in the unit that
/// ``kCGImagePropertyGPSDestDistanceRef`` states.
public var kCGImagePropertyGPSDestDistance: CFString { "DestDistance" }
/// The key of the positioning method, which is not read from files.
public var kCGImagePropertyGPSProcessingMethod: CFString { "ProcessingMethod" }
/// The key of the area's name, which is not read from files.
public var kCGImagePropertyGPSAreaInformation: CFString { "AreaInformation" }
