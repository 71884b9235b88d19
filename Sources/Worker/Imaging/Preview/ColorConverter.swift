internal import CLcms

/// A converter of pixels to sRGB or Display P3, which caches transforms for the most recently used
/// profiles.
///
/// Building a transform takes milliseconds, and applying it to a small image takes less than one.
/// Photos of one camera share a profile. Owns LittleCMS's objects; used by one thread.
package final class ColorConverter {
    /// The target color space.
    enum Destination: Hashable {
        case sRGB
        case displayP3
    }

    private struct Key: Equatable {
        /// The source profile; nil for sRGB.
        var profile: [UInt8]?
        var destination: Destination
        var bands: Int
    }

    private static let maximumTransforms = 8
    private static let maximumProfileLength = 4 << 20
    /// The value of LittleCMS's macro `cmsFLAGS_COPY_ALPHA`.
    private static let copiesAlpha: cmsUInt32Number = 0x0400_0000

    /// The cached transforms, most recently used last; nil for an unusable profile.
    private var transforms: [(key: Key, transform: cmsHTRANSFORM?)] = []

    package init() {}

    deinit {
        for entry in transforms {
            if let transform = entry.transform { cmsDeleteTransform(transform) }
        }
    }

    /// Converts `image` in place; an unusable profile leaves it unchanged.
    func convert(_ image: inout PixelImage, from profile: [UInt8]) {
        image.recolor { start, pixels in
            convert(
                start.assumingMemoryBound(to: UInt8.self),
                pixels: pixels,
                bands: 3,
                from: profile,
                to: .sRGB
            )
        }
    }

    /// Converts pixels of 3 bytes, or of 4 with alpha, in place.
    ///
    /// A profile of nil means sRGB. An unusable profile leaves the pixels unchanged.
    func convert(
        _ rows: UnsafeMutablePointer<UInt8>,
        pixels: Int,
        bands: Int,
        from profile: [UInt8]?,
        to destination: Destination
    ) {
        let key = Key(profile: profile, destination: destination, bands: bands)
        guard let transform = transform(for: key) else { return }
        cmsDoTransform(transform, rows, rows, cmsUInt32Number(clamping: pixels))
    }

    private func transform(for key: Key) -> cmsHTRANSFORM? {
        if let index = transforms.firstIndex(where: { $0.key == key }) {
            let entry = transforms.remove(at: index)
            transforms.append(entry)
            return entry.transform
        }
        if transforms.count == Self.maximumTransforms,
            let oldest = transforms.removeFirst().transform
        {
            cmsDeleteTransform(oldest)
        }
        let transform = build(key)
        transforms.append((key, transform))
        return transform
    }

    private func build(_ key: Key) -> cmsHTRANSFORM? {
        guard let source = open(key.profile) else { return nil }
        defer { cmsCloseProfile(source) }
        guard cmsGetColorSpace(source) == cmsSigRgbData,
            let target = key.destination == .sRGB
                ? cmsCreate_sRGBProfile() : ColorProfile.displayP3()
        else { return nil }
        defer { cmsCloseProfile(target) }
        // LittleCMS's macros TYPE_RGB_8 and TYPE_RGBA_8: color space RGB, an optional extra
        // channel, three channels of one byte.
        let extra: cmsUInt32Number = key.bands == 4 ? 1 << 7 : 0
        let layout: cmsUInt32Number = 4 << 16 | extra | 3 << 3 | 1
        return cmsCreateTransform(
            source,
            layout,
            target,
            layout,
            cmsUInt32Number(INTENT_PERCEPTUAL),
            key.bands == 4 ? Self.copiesAlpha : 0
        )
    }

    private func open(_ profile: [UInt8]?) -> cmsHPROFILE? {
        guard let profile else { return cmsCreate_sRGBProfile() }
        guard (128...Self.maximumProfileLength).contains(profile.count) else { return nil }
        return cmsOpenProfileFromMem(profile, cmsUInt32Number(profile.count))
    }
}
