// What the compiler imports where a test imports UIKit and Testing.
@_exported public import PhotosCompanions
