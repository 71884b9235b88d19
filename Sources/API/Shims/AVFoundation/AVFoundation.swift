// A name for `import AVFoundation`: movies, and their export.
@_exported public import PhotosCompanions
