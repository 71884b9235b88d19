internal import CHeif
internal import Glibc
internal import PhotoModel

/// A gain map to add to a HEIC file.
struct HEIFGainMap {
    /// The type of the auxiliary image, as in files of Apple's cameras.
    private static let kind = "urn:com:apple:photo:2020:aux:hdrgainmap"

    let size: PixelSize
    /// The pixels, with three bytes each.
    let rows: [UInt8]
    let isGray: Bool
    let xmp: [UInt8]

    /// Adds the gain map to a file.
    ///
    /// - Parameters:
    ///   - context: The file.
    ///   - encoder: The HEVC encoder.
    ///   - picture: The image to which the map belongs.
    /// - Throws: The reason for a failure.
    func add(
        to context: OpaquePointer,
        _ encoder: OpaquePointer?,
        of picture: OpaquePointer
    ) throws(DecodeFailure) {
        let image = try image()
        defer { heif_image_release(image) }
        var handle: OpaquePointer?
        try HEIFFile.check(heif_context_encode_image(context, image, encoder, nil, &handle))
        guard let handle else { throw .damaged("libheif returned no gain map") }
        defer { heif_image_handle_release(handle) }
        // Encoding makes the map the primary image, so the main image is set as primary again.
        try HEIFFile.check(heif_context_set_primary_image(context, picture))
        let item = heif_image_handle_get_item_id(handle)
        try HEIFFile.check(
            heif_context_add_item_reference(
                context,
                Self.code("auxl"),
                item,
                heif_image_handle_get_item_id(picture)
            )
        )
        let property = [0, 0, 0, 0] + Array(Self.kind.utf8) + [0]
        try HEIFFile.check(
            heif_item_add_raw_property(
                context,
                item,
                Self.code("auxC"),
                nil,
                property,
                property.count,
                1,
                nil
            )
        )
        try HEIFFile.check(
            heif_context_add_XMP_metadata(context, handle, xmp, Int32(clamping: xmp.count))
        )
    }

    private func image() throws(DecodeFailure) -> OpaquePointer {
        let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
        guard rows.count >= size.width * size.height * 3 else {
            throw .damaged("the gain map has too few pixels")
        }
        var made: OpaquePointer?
        let space = isGray ? heif_colorspace_monochrome : heif_colorspace_RGB
        let chroma = isGray ? heif_chroma_monochrome : heif_chroma_interleaved_RGB
        try HEIFFile.check(heif_image_create(width, height, space, chroma, &made))
        guard let image = made else {
            throw .damaged("there is not enough memory for the gain map")
        }
        let channel = isGray ? heif_channel_Y : heif_channel_interleaved
        var stride: Int32 = 0
        guard heif_image_add_plane(image, channel, width, height, 8).code == heif_error_Ok,
            let plane = heif_image_get_plane(image, channel, &stride)
        else {
            heif_image_release(image)
            throw .damaged("there is not enough memory for the gain map")
        }
        for row in 0..<size.height {
            let target = plane + row * Int(stride)
            let start = row * size.width * 3
            if isGray {
                for column in 0..<size.width { target[column] = rows[start + column * 3] }
            } else {
                for index in 0..<size.width * 3 { target[index] = rows[start + index] }
            }
        }
        return image
    }

    private static func code(_ name: String) -> UInt32 {
        name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
