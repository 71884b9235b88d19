public import Foundation
internal import PhotoModel

extension CIImage {
    /// The picture turned upright, as an orientation says that stored pixels are turned.
    ///
    /// What comes of it lies with its lower left corner where this one's lies, and ``properties`` say
    /// that it is upright.
    public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
        oriented(orientation.stored)
    }

    /// The picture turned upright by EXIF's number; as it is for what is none.
    public func oriented(forExifOrientation orientation: Int32) -> CIImage {
        PhotoModel.Orientation(rawValue: Int(orientation)).map(oriented) ?? self
    }

    /// What ``oriented(_:)`` does with coordinates.
    public func orientationTransform(
        for orientation: CGImagePropertyOrientation
    ) -> CGAffineTransform {
        CGAffineTransform(OrientationTransform.make(orientation.stored, in: box))
    }

    /// What ``oriented(forExifOrientation:)`` does with coordinates.
    public func orientationTransform(forExifOrientation orientation: Int32) -> CGAffineTransform {
        let stored = PhotoModel.Orientation(rawValue: Int(orientation)) ?? .up
        return CGAffineTransform(OrientationTransform.make(stored, in: box))
    }

    private func oriented(_ orientation: PhotoModel.Orientation) -> CIImage {
        guard orientation != .up else { return self }
        let transform = OrientationTransform.make(orientation, in: box)
        return adding(.transform(transform), isTurning: true)
    }

    /// What lies in a rectangle; it stays where it is.
    ///
    /// The rectangle is in the picture's coordinates, and is made larger to whole pixels.
    public func cropped(to rect: CGRect) -> CIImage {
        adding(.crop(RecipeRectangle(rect).integral))
    }

    /// The picture moved, turned, scaled or sheared.
    ///
    /// Turns by quarters and shifts by whole pixels keep every pixel as it is; all else is interpolated.
    /// What can't be taken back, such as a scale of 0, leaves nothing.
    public func transformed(by matrix: CGAffineTransform) -> CIImage {
        guard !matrix.isIdentity else { return self }
        let transform = RecipeTransform(matrix)
        guard transform.isInvertible else { return CIImage() }
        return adding(.transform(transform))
    }

    /// The picture moved, turned, scaled or sheared, always interpolated well.
    public func transformed(
        by matrix: CGAffineTransform,
        highQualityDownsample: Bool
    ) -> CIImage {
        transformed(by: matrix)
    }

    /// The picture with the colours of its edge going on without an end.
    public func clampedToExtent() -> CIImage { adding(.clamp) }

    /// The picture cropped, with the colours of the crop's edge going on without an end.
    public func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

    /// The picture with its alpha made 1 inside a rectangle, and nothing beside it.
    public func settingAlphaOne(in extent: CGRect) -> CIImage {
        cropped(to: extent).adding(.point([.opaque]))
    }

    /// This picture on another one.
    public func composited(over dest: CIImage) -> CIImage { adding(over: dest) }
}

extension CGImagePropertyOrientation {
    /// The same number.
    var stored: PhotoModel.Orientation { PhotoModel.Orientation(rawValue: Int(rawValue)) ?? .up }
}

extension CGAffineTransform {
    init(_ transform: RecipeTransform) {
        self.init(
            a: transform.a,
            b: transform.b,
            c: transform.c,
            d: transform.d,
            tx: transform.tx,
            ty: transform.ty
        )
    }
}

extension RecipeTransform {
    init(_ transform: CGAffineTransform) {
        self.init(
            a: transform.a,
            b: transform.b,
            c: transform.c,
            d: transform.d,
            tx: transform.tx,
            ty: transform.ty
        )
    }
}
