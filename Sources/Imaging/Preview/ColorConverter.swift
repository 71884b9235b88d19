internal import CLcms

/// Converts pixels to sRGB, keeping what it built for the profiles it met last.
///
/// Building a transform takes milliseconds, applying it to a small picture a fraction of one, and
/// the photos of one camera share a profile. Owns LittleCMS' objects; used by one thread.
package final class ColorConverter {
    private static let maximumTransforms = 8
    private static let maximumProfileLength = 4 << 20
    /// LittleCMS' TYPE_RGB_8, a macro: colour space RGB, three channels of one byte.
    private static let layout: cmsUInt32Number = 4 << 16 | 3 << 3 | 1

    /// The last used is the last; a profile that can't be used has no transform.
    private var transforms: [(profile: [UInt8], transform: cmsHTRANSFORM?)] = []
    private let destination: cmsHPROFILE?

    package init() {
        destination = cmsCreate_sRGBProfile()
    }

    deinit {
        for entry in transforms {
            if let transform = entry.transform { cmsDeleteTransform(transform) }
        }
        if let destination { cmsCloseProfile(destination) }
    }

    /// Converts `image` in place; a profile that can't be used leaves it as it is.
    func convert(_ image: inout PixelImage, from profile: [UInt8]) {
        guard let transform = transform(for: profile) else { return }
        image.recolor { start, pixels in
            cmsDoTransform(transform, start, start, cmsUInt32Number(clamping: pixels))
        }
    }

    private func transform(for profile: [UInt8]) -> cmsHTRANSFORM? {
        if let index = transforms.firstIndex(where: { $0.profile == profile }) {
            let entry = transforms.remove(at: index)
            transforms.append(entry)
            return entry.transform
        }
        if transforms.count == Self.maximumTransforms,
            let oldest = transforms.removeFirst().transform
        {
            cmsDeleteTransform(oldest)
        }
        let transform = build(profile)
        transforms.append((profile, transform))
        return transform
    }

    private func build(_ profile: [UInt8]) -> cmsHTRANSFORM? {
        guard let destination, (128...Self.maximumProfileLength).contains(profile.count),
            let source = cmsOpenProfileFromMem(profile, cmsUInt32Number(profile.count))
        else { return nil }
        defer { cmsCloseProfile(source) }
        guard cmsGetColorSpace(source) == cmsSigRgbData else { return nil }
        return cmsCreateTransform(
            source,
            Self.layout,
            destination,
            Self.layout,
            cmsUInt32Number(INTENT_PERCEPTUAL),
            0
        )
    }
}
