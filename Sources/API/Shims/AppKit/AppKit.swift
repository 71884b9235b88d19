// A name for `import AppKit`: NSImage, which is UIImage here.
@_exported public import PhotosCompanions
