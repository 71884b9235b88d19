public import PhotosManagement

extension CaptureFacts {
    /// The local capture time that the camera's clock showed; nil for a time from another source.
    ///
    /// Movie headers and GPS use UTC. Modification dates of files and dates set by users do not
    /// come from a camera's clock.
    public var clockTime: String? {
        switch wallTimeSource {
        case .exifOriginal, .exifDigitized, .exifModified, .quickTimeKey, .xmp, .iptc, .png:
            wallTime
        case .offsetTag, .gpsTime, .movieHeader, .fileTime, .place, .machineTimeZone, .user, .other:
            nil
        }
    }
}
