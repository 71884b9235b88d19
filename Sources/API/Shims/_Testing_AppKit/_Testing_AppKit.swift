// What the compiler imports where a test imports AppKit and Testing.
@_exported public import PhotosCompanions
