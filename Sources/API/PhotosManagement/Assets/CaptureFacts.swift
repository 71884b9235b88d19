public import Foundation
internal import PhotoModel

/// When an asset was captured, with its parts and how each is known.
public struct CaptureFacts: Sendable, Hashable {
    /// Where a part of a capture time came from.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// An offset beside the date.
        case offsetTag
        /// GPS time, compared with the wall time.
        case gpsTime
        /// QuickTime's creation date, which carries its offset.
        case quickTimeKey
        /// The movie header, which is in UTC.
        case movieHeader
        /// EXIF DateTimeOriginal.
        case exifOriginal
        /// EXIF CreateDate: when it was digitized.
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
        /// The time zone of the place that the camera wrote.
        case place
        /// The time zone of the machine that imported it, for want of anything better.
        case machineTimeZone
        /// A person, or a program on their behalf.
        case user
        /// A source that a later version knows.
        case other
    }

    /// The instant.
    public var date: Date
    /// What the camera's clock showed: `YYYY-MM-DDTHH:MM:SS[.fff]`.
    public var wallTime: String
    /// Seconds east of UTC; nil when no source tells.
    public var utcOffset: Int?
    /// Where the wall time came from.
    public var wallTimeSource: Source
    /// Where the offset, and so the instant, came from.
    public var dateSource: Source

    init(_ time: CaptureTime) {
        date = time.instant
        wallTime = time.wallTime
        utcOffset = time.offset
        wallTimeSource = Source(rawValue: time.wallTimeSource.rawValue) ?? .other
        dateSource = Source(rawValue: time.instantSource.rawValue) ?? .other
    }
}

/// What the camera and its settings were, as the file says.
public struct CameraFacts: Sendable, Hashable {
    /// Who made it.
    public var make: String?
    /// Which one.
    public var model: String?
    /// The lens.
    public var lens: String?
    /// The software that wrote the file.
    public var software: String?
    /// The f-number.
    public var aperture: Double?
    /// Seconds.
    public var exposureTime: Double?
    /// The ISO speed.
    public var isoSpeed: Int?
    /// Millimetres.
    public var focalLength: Double?
    /// Millimetres on 35 mm film.
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
