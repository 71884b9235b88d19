// What the compiler imports where a test imports Core Image and Testing.
@_exported public import PhotosCompanions
