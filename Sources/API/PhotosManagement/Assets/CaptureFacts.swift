public import Foundation
internal import PhotoModel

/// The capture time of an asset: the wall time and the offset from UTC, with their sources.
public struct CaptureFacts: Sendable, Hashable {
    /// The metadata from which the wall time or the offset was read or derived.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// An offset from UTC that is recorded with the date, such as EXIF OffsetTimeOriginal or an
        /// offset in the date's text.
        case offsetTag
        /// The GPS time in UTC; its difference from the wall time is the offset.
        case gpsTime
        /// QuickTime's creation date, which includes the offset from UTC.
        case quickTimeKey
        /// The movie header, whose times are in UTC.
        case movieHeader
        /// EXIF DateTimeOriginal.
        case exifOriginal
        /// EXIF CreateDate: the time of digitization.
        case exifDigitized
        /// EXIF ModifyDate.
        case exifModified
        /// XMP.
        case xmp
        /// IPTC.
        case iptc
        /// A text chunk of PNG.
        case png
        /// The file's modification time.
        case fileTime
        /// The time zone at the location that the camera recorded.
        case place
        /// The time zone of the importing machine, when no better source exists.
        case machineTimeZone
        /// A value that a person set, directly or with a program.
        case user
        /// A source that this version does not recognize.
        case other
    }

    /// The instant of capture.
    public var date: Date
    /// The local time on the camera's clock: `YYYY-MM-DDTHH:MM:SS[.fff]`.
    public var wallTime: String
    /// The offset in seconds east of UTC; nil when no source states it.
    public var utcOffset: Int?
    /// The source of the wall time.
    public var wallTimeSource: Source
    /// The source of the offset, and therefore of the instant in ``date``.
    public var dateSource: Source

    init(_ time: CaptureTime) {
        date = time.instant
        wallTime = time.wallTime
        utcOffset = time.offset
        wallTimeSource = Source(rawValue: time.wallTimeSource.rawValue) ?? .other
        dateSource = Source(rawValue: time.instantSource.rawValue) ?? .other
    }
}

/// The camera and its settings, as recorded in the file.
public struct CameraFacts: Sendable, Hashable {
    /// The manufacturer.
    public var make: String?
    /// The camera model.
    public var model: String?
    /// The lens.
    public var lens: String?
    /// The software that wrote the file.
    public var software: String?
    /// The f-number.
    public var aperture: Double?
    /// The exposure time in seconds.
    public var exposureTime: Double?
    /// The ISO speed.
    public var isoSpeed: Int?
    /// The focal length in millimeters.
    public var focalLength: Double?
    /// The 35 mm equivalent focal length in millimeters.
    public var focalLengthIn35mmFilm: Double?

    init(_ facts: PhotoModel.CameraFacts) {
        make = facts.make
        model = facts.model
        lens = facts.lens
        software = facts.software
        aperture = facts.aperture
        exposureTime = facts.exposureTime
        isoSpeed = facts.isoSpeed
        focalLength = facts.focalLength
        focalLengthIn35mmFilm = facts.focalLengthIn35mmFilm
    }
}
