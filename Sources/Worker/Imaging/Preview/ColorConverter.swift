internal import CLcms

/// Converts pixels to sRGB, keeping what it built for the profiles it met last.
///
/// Building a transform takes milliseconds, applying it to a small picture a fraction of one, and
/// the photos of one camera share a profile. Owns LittleCMS' objects; used by one thread.
package final class ColorConverter {
    /// The colours wanted.
    enum Destination: Hashable {
        case sRGB
        case displayP3
    }

    private struct Key: Equatable {
        /// Nil for sRGB.
        var profile: [UInt8]?
        var destination: Destination
        var bands: Int
    }

    private static let maximumTransforms = 8
    private static let maximumProfileLength = 4 << 20
    /// LittleCMS' cmsFLAGS_COPY_ALPHA, a macro.
    private static let copiesAlpha: cmsUInt32Number = 0x0400_0000

    /// The last used is the last; a profile that can't be used has no transform.
    private var transforms: [(key: Key, transform: cmsHTRANSFORM?)] = []

    package init() {}

    deinit {
        for entry in transforms {
            if let transform = entry.transform { cmsDeleteTransform(transform) }
        }
    }

    /// Converts `image` in place; a profile that can't be used leaves it as it is.
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
    /// A profile that can't be used leaves them as they are; nil stands for sRGB.
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
        // LittleCMS' TYPE_RGB_8 and TYPE_RGBA_8, macros: colour space RGB, a fourth channel that is
        // extra, three channels of one byte.
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
