internal import CHeif
internal import PhotoModel

/// The crop and the orientation that a HEIF file specifies for an image, applied in this order.
struct HEIFOrientation {
    /// The number of stored pixels to crop at the left; the next three properties are for the other
    /// sides.
    private var left = 0
    private var top = 0
    private var right = 0
    private var bottom = 0
    private(set) var orientation = Orientation.up
    /// Indicates whether the file specifies at most one crop, before any rotation or mirroring.
    private(set) var isPlain = true

    /// Creates the identity: no crop and no rotation.
    init() {}

    /// Combines the crop, rotation and mirror properties of an image, in the order in which the
    /// file lists them.
    init(_ handle: OpaquePointer, of context: OpaquePointer) {
        let item = heif_image_handle_get_item_id(handle)
        var properties = [heif_property_id](repeating: 0, count: 8)
        let count = heif_item_get_transformation_properties(
            context,
            item,
            &properties,
            Int32(properties.count)
        )
        var quarterTurns = 0
        var isMirrored = false
        for property in properties.prefix(Int(max(0, count))) {
            switch heif_item_get_property_type(context, item, property) {
            case heif_item_property_type_transform_crop:
                isPlain = isPlain && !isCropped && quarterTurns == 0 && !isMirrored
                readCrop(handle, context, item, property)
            case heif_item_property_type_transform_rotation:
                // Degrees counterclockwise. A rotation after a mirror equals the reverse rotation
                // before it.
                let degrees = heif_item_get_property_transform_rotation_ccw(context, item, property)
                let turns = Int(degrees) / 90 % 4
                quarterTurns = (quarterTurns + (isMirrored ? turns : 4 - turns)) % 4
            case heif_item_property_type_transform_mirror:
                let direction = heif_item_get_property_transform_mirror(context, item, property)
                isMirrored.toggle()
                // A vertical flip equals a horizontal flip and half a turn.
                if direction == heif_transform_mirror_direction_vertical {
                    quarterTurns = (quarterTurns + 2) % 4
                }
            default: break
            }
        }
        orientation = .turned(quarterTurns: quarterTurns, isMirrored: isMirrored)
    }

    private mutating func readCrop(
        _ handle: OpaquePointer,
        _ context: OpaquePointer,
        _ item: heif_item_id,
        _ property: heif_property_id
    ) {
        var (first, second, third, fourth) = (Int32(0), Int32(0), Int32(0), Int32(0))
        heif_item_get_property_transform_crop_borders(
            context,
            item,
            property,
            heif_image_handle_get_ispe_width(handle),
            heif_image_handle_get_ispe_height(handle),
            &first,
            &second,
            &third,
            &fourth
        )
        left = Int(max(0, first))
        top = Int(max(0, second))
        right = Int(max(0, third))
        bottom = Int(max(0, fourth))
    }

    /// Indicates whether any side is cropped.
    var isCropped: Bool { left > 0 || top > 0 || right > 0 || bottom > 0 }

    /// Returns the transformation for a smaller copy of the image, with the crop scaled to the
    /// copy's stored size.
    func scaled(from whole: PixelSize, to copy: PixelSize) -> HEIFOrientation {
        guard isCropped, whole.width > 0, whole.height > 0 else { return self }
        func scaled(_ border: Int, _ from: Int, _ to: Int) -> Int {
            Int((Double(border) * Double(to) / Double(from)).rounded(.up))
        }
        var transform = self
        transform.left = scaled(left, whole.width, copy.width)
        transform.right = scaled(right, whole.width, copy.width)
        transform.top = scaled(top, whole.height, copy.height)
        transform.bottom = scaled(bottom, whole.height, copy.height)
        return transform
    }

    /// Returns whether another transformation is equal except for a rounding difference of one
    /// pixel.
    func isNearly(_ other: HEIFOrientation) -> Bool {
        orientation == other.orientation && isPlain == other.isPlain
            && abs(left - other.left) <= 1 && abs(top - other.top) <= 1
            && abs(right - other.right) <= 1 && abs(bottom - other.bottom) <= 1
    }

    /// Returns the rectangle of the stored pixels that remains after the crop; a crop that removes
    /// everything is ignored.
    func part(of size: PixelSize) -> PixelRectangle {
        guard left + right < size.width, top + bottom < size.height else {
            return PixelRectangle(x: 0, y: 0, size: size)
        }
        let rest = PixelSize(width: size.width - left - right, height: size.height - top - bottom)
        return PixelRectangle(x: left, y: top, size: rest)
    }
}
