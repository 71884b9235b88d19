/// A result that differs from the reference, and why that is right or beyond our control.
///
/// A listed deviation that passes again fails the test, so that the list stays accurate.
struct KnownDeviation: Sendable {
    /// The file, such as `formats/jpeg-12bit.jpg`.
    var name: String
    /// The variants that deviate; nil for all.
    var variants: Set<Variant>?
    var reason: String

    init(_ name: String, _ reason: String, only variants: Set<Variant>? = nil) {
        self.name = name
        self.variants = variants
        self.reason = reason
    }

    /// Returns the reason for which a result may deviate, or nil if it may not.
    static func reason(_ name: String, _ variant: Variant) -> String? {
        all.first { $0.name == name && ($0.variants?.contains(variant) ?? true) }?.reason
    }

    static let all: [KnownDeviation] =
        [
            KnownDeviation(
                "formats/jxl-splines-2048.jxl",
                "The reference, libjxl 0.7, refuses so many splines."
            ),
            KnownDeviation(
                "orientation/clop_irot_imor.avif",
                "The reference, libheif, can't crop more than 8 bits."
            ),
            KnownDeviation(
                "hdr-gainmap/pixel6-ultrahdr.jpg",
                "It is cut short: the reference is grey where ours is the preview in it.",
                only: [.fit, .exactFit, .cropFit]
            ),
            KnownDeviation(
                "cameras/galaxy-note5-exif-size-lies.jpg",
                "The preview in it, which is large enough, is wider by 1 in 100.",
                only: [.fit, .fill]
            ),
            KnownDeviation(
                "cameras/nikon-d1x.jpg",
                "The preview in it, which is large enough, is wider by 1 in 100.",
                only: [.fit, .fill]
            ),
            KnownDeviation(
                "made/turned-1.HEIC",
                "The reference has two coloured rows of padding at its upper edge.",
                only: [.full]
            ),
            KnownDeviation(
                "hdr-gainmap/seine_sdr_gainmap_srgb.avif",
                "Gravel all over the part: a rendition's quality of 85 shows.",
                only: [.cropFit]
            ),
            KnownDeviation(
                "hdr-gainmap/seine_sdr_gainmap_srgb.jpg",
                "Gravel all over the part: a rendition's quality of 85 shows.",
                only: [.cropFit]
            ),
        ] + bright

    /// The files that are brighter than SDR white.
    private static let bright = [
        "hdr-gainmap/colors_hdr_p3.avif", "hdr-gainmap/cosmos1650_yuv444_10bpc_p3pq.avif",
        "hdr-gainmap/hdr-gainmap.jxl", "hdr-gainmap/hdr-pq.heic", "hdr-gainmap/hdr.avif",
        "hdr-gainmap/seine_hdr_rec2020.avif", "hdr-gainmap/seine_hdr_srgb.avif",
        "video/hdr-hlg-10bit-hevc.mov",
    ].map {
        KnownDeviation(
            $0,
            "The reference leaves HDR as it is coded; ours is brought to what a plain screen shows."
        )
    }
}
