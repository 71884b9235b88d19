package import FoundationEssentials

/// When an asset was captured: an instant, what a clock on the wall showed, and how both are known.
///
/// A wall time is never shifted silently: where no source gives an offset, `offset` is nil and
/// `instant` was computed with the importing machine's time zone, which `instantSource` says.
package struct CaptureTime: Codable, Hashable, Sendable {
    /// Where a part of a capture time came from.
    package enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        /// An offset tag beside the date (EXIF OffsetTime…, or an offset in the text itself).
        case offsetTag
        /// GPS time, compared with the wall time.
        case gpsTime
        /// QuickTime's creation date key, which carries its offset; AVCHD's recording date.
        case quickTimeKey
        /// The movie header, which is in UTC.
        case movieHeader
        /// EXIF DateTimeOriginal.
        case exifOriginal
        /// EXIF CreateDate (when it was digitized).
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
        /// The importing machine's time zone, for want of anything better.
        case machineTimeZone
        /// A person, or a program on their behalf.
        case user
    }

    /// The instant.
    package var instant: Date
    /// Local wall time, `YYYY-MM-DDTHH:MM:SS[.fff]`, as the camera's clock showed it.
    package var wallTime: String
    /// Seconds east of UTC, nil when no source tells.
    package var offset: Int?
    /// Where the wall time came from.
    package var wallTimeSource: Source
    /// Where the offset, and so the instant, came from.
    package var instantSource: Source

    package init(
        instant: Date,
        wallTime: String,
        offset: Int?,
        wallTimeSource: Source,
        instantSource: Source
    ) {
        self.instant = instant
        self.wallTime = wallTime
        self.offset = offset
        self.wallTimeSource = wallTimeSource
        self.instantSource = instantSource
    }
}
