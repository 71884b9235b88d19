package import PhotoModel

/// The metadata of a sample file; nil values are not written.
package struct SampleMetadata: Hashable, Sendable {
    package var date: SampleDate?
    /// The GPS time in UTC, also `YYYY:MM:DD HH:MM:SS`.
    package var gpsTime: String?
    /// IPTC DateCreated, `YYYYMMDD`, and TimeCreated, each written verbatim; in JPEG only.
    package var iptcDay: String?
    package var iptcTime: String?
    package var location: Location?
    package var make: String?
    package var model: String?
    package var lens: String?
    package var software: String?
    package var orientation: Orientation?
    /// Whether to embed a small JPEG, as cameras do.
    package var hasThumbnail = true
    package var exposure: Exposure?
    /// Apple's values of EXIF CustomRendered: 3 HDR, 6 panorama, 8 portrait.
    package var customRendered: Int?
    package var userComment: String?
    /// Apple MakerNote 0x000b.
    package var burstIdentifier: String?
    /// Apple MakerNote 0x0011, or a movie's `com.apple.quicktime.content.identifier`.
    package var contentIdentifier: String?
    /// Apple MakerNote 0x000a.
    package var appleHDRImageType: Int?
    /// XMP GPano: `equirectangular`.
    package var projection: String?
    package var title: String?
    package var caption: String?
    package var keywords: [String] = []
    /// 0...5.
    package var rating: Int?

    package init(
        date: SampleDate? = nil,
        location: Location? = nil,
        make: String? = nil,
        model: String? = nil,
        lens: String? = nil,
        orientation: Orientation? = nil
    ) {
        self.date = date
        self.location = location
        self.make = make
        self.model = model
        self.lens = lens
        self.orientation = orientation
    }

    /// The exposure time, aperture and focal length.
    package struct Exposure: Hashable, Sendable {
        /// In seconds.
        package var time: Double
        package var fNumber: Double
        package var iso: Int
        /// The physical focal length in millimeters.
        package var focalLength: Double
        /// The 35 mm equivalent in millimeters.
        package var focalLength35: Int

        package init(
            time: Double,
            fNumber: Double,
            iso: Int,
            focalLength: Double,
            focalLength35: Int
        ) {
            self.time = time
            self.fNumber = fNumber
            self.iso = iso
            self.focalLength = focalLength
            self.focalLength35 = focalLength35
        }
    }

    var hasAppleNote: Bool {
        burstIdentifier != nil || contentIdentifier != nil || appleHDRImageType != nil
    }

    var hasXMP: Bool {
        projection != nil || title != nil || caption != nil || !keywords.isEmpty || rating != nil
    }
}
