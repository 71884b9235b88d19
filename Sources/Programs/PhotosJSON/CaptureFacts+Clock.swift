public import PhotosManagement

extension CaptureFacts {
    /// The wall time, where a camera's clock showed it; nil for other times.
    ///
    /// Movie headers and satellites count in UTC; the times of files and of people's changes have no
    /// clock of their own.
    public var clockTime: String? {
        switch wallTimeSource {
        case .exifOriginal, .exifDigitized, .exifModified, .quickTimeKey, .xmp, .iptc, .png:
            wallTime
        case .offsetTag, .gpsTime, .movieHeader, .fileTime, .place, .machineTimeZone, .user, .other:
            nil
        }
    }
}
