internal import Foundation
internal import PhotoModel

extension CGImagePropertyOrientation {
    /// The orientation with the same EXIF number.
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
