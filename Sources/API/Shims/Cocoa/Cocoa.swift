// A name for `import Cocoa`: what AppKit and Foundation are here.
@_exported public import PhotosCompanions
