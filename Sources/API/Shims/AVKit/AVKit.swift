// A name for `import AVKit`: movies; nothing here plays them.
@_exported public import PhotosCompanions
