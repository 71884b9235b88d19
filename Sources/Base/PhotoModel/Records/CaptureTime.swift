package import FoundationEssentials

/// The capture time of an asset: an instant, the local wall time, and the sources of both.
///
/// A wall time is never shifted silently. If no source states an offset from UTC, `offset` is nil,
/// `instant` is computed in the importing machine's time zone, and `instantSource` records that.
package struct CaptureTime: Codable, Hashable, Sendable {
    /// The source of a wall time or of an instant.
    package enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        /// The offset that a date states in its text or in a separate tag, such as EXIF OffsetTime.
        case offsetTag
        /// GPS time, whose difference from the wall time is the offset.
        case gpsTime
        /// QuickTime's creation date key, which includes an offset, or AVCHD's recording date.
        case quickTimeKey
        /// The movie header, which is in UTC.
        case movieHeader
        /// EXIF DateTimeOriginal.
        case exifOriginal
        /// EXIF CreateDate, the digitization date.
        case exifDigitized
        /// EXIF ModifyDate.
        case exifModified
        /// XMP.
        case xmp
        /// IPTC.
        case iptc
        /// A PNG text chunk.
        case png
        /// The file's modification time.
        case fileTime
        /// The time zone at the location that the camera recorded.
        case place
        /// The importing machine's time zone, as a last resort.
        case machineTimeZone
        /// A user, or a program on the user's behalf.
        case user
    }

    /// The instant.
    package var instant: Date
    /// The local wall time of the camera's clock, `YYYY-MM-DDTHH:MM:SS[.fff]`.
    package var wallTime: String
    /// The offset of the wall time in seconds east of UTC; nil if no source states one.
    package var offset: Int?
    /// The source of the wall time.
    package var wallTimeSource: Source
    /// The source of the offset, which also determines the instant.
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
