internal import CHeif
internal import PhotoModel

/// A thumbnail of a HEIF file with the same content as the primary image.
///
/// Writers disagree on the content of a thumbnail of a cropped or rotated image: some show the
/// displayed image, others the stored one. A thumbnail is ignored if neither its aspect ratio nor
/// its own properties decide this. Owns libheif's handle; the image must outlive it.
final class HEIFThumbnail {
    /// The maximum number of thumbnails to examine in a file.
    private static let maximumCount: Int32 = 16

    private let handle: OpaquePointer
    private let picture: HEIFPicture
    /// The crop and orientation to apply after decoding; nil if libheif applies the thumbnail's own
    /// transformations.
    private let transform: HEIFOrientation?
    /// The size of the thumbnail's upright image content, without dark bars.
    let size: PixelSize

    private init(
        _ handle: OpaquePointer,
        of picture: HEIFPicture,
        _ reading: (transform: HEIFOrientation?, size: PixelSize)
    ) {
        self.handle = handle
        self.picture = picture
        (transform, size) = reading
    }

    deinit { heif_image_handle_release(handle) }

    /// Returns the usable thumbnails of an image, from the smallest to the largest.
    static func all(of picture: HEIFPicture) -> [HEIFThumbnail] {
        let primary = picture.primary
        let count = min(heif_image_handle_get_number_of_thumbnails(primary), maximumCount)
        guard count > 0 else { return [] }
        var identifiers = [heif_item_id](repeating: 0, count: Int(count))
        let found = heif_image_handle_get_list_of_thumbnail_IDs(primary, &identifiers, count)
        let hasAlpha = heif_image_handle_has_alpha_channel(primary) != 0
        let thumbnails = identifiers.prefix(Int(max(0, found))).compactMap { identifier in
            var handle: OpaquePointer?
            let error = heif_image_handle_get_thumbnail(primary, identifier, &handle)
            guard error.code == heif_error_Ok, let handle else { return nil as HEIFThumbnail? }
            guard (heif_image_handle_has_alpha_channel(handle) != 0) == hasAlpha,
                let reading = reading(of: handle, picture)
            else {
                heif_image_handle_release(handle)
                return nil
            }
            return HEIFThumbnail(handle, of: picture, reading)
        }
        return thumbnails.sorted { $0.size.width < $1.size.width }
    }

    /// Decodes the thumbnail without dark bars; returns nil if decoding fails or the content
    /// differs from the image.
    func pixels() -> HEIFPixels? {
        guard
            let pixels = try? HEIFPixels(
                handle,
                of: picture.context,
                isThumbnail: true,
                transform: transform,
                profileOf: picture.primary
            )
        else { return nil }
        let whole = picture.displaySize.displayed(with: pixels.orientation)
        return pixels.trim(toAspectOf: whole) ? pixels : nil
    }

    // MARK: - Geometry

    /// Determines the transformation of a thumbnail's stored pixels and the resulting size.
    ///
    /// Returns nil if the thumbnail shows other content than the image, or if it is ambiguous
    /// whether it shows the displayed or the stored image.
    private static func reading(
        of handle: OpaquePointer,
        _ picture: HEIFPicture
    ) -> (transform: HEIFOrientation?, size: PixelSize)? {
        let whole = picture.displaySize
        let own = HEIFOrientation(handle, of: picture.context)
        let primary = HEIFOrientation(picture.primary, of: picture.context)
        let stored = storedSize(handle)
        let storedWhole = storedSize(picture.primary)
        let shown = PixelSize(
            width: Int(max(0, heif_image_handle_get_width(handle))),
            height: Int(max(0, heif_image_handle_get_height(handle)))
        )
        let moved = primary.scaled(from: storedWhole, to: stored)
        var transform: HEIFOrientation?
        if !own.isNearly(moved) {
            guard !own.isCropped, primary.isPlain,
                own.orientation == .up || own.orientation == primary.orientation
            else { return nil }
            let showsWhatIsSeen = PreviewEdges.isSameAspect(shown, whole)
            let showsWhatIsStored = PreviewEdges.isSameAspect(stored, storedWhole)
            guard showsWhatIsSeen != showsWhatIsStored else { return nil }
            if showsWhatIsStored { transform = moved }
        }
        let upright =
            transform.map { $0.part(of: stored).size.displayed(with: $0.orientation) } ?? shown
        return PreviewEdges.part(of: upright, withAspectOf: whole).map { (transform, $0.size) }
    }

    private static func storedSize(_ handle: OpaquePointer) -> PixelSize {
        PixelSize(
            width: Int(max(0, heif_image_handle_get_ispe_width(handle))),
            height: Int(max(0, heif_image_handle_get_ispe_height(handle)))
        )
    }
}
