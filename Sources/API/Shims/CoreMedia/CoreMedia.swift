// A name for `import CoreMedia`: times and formats of media.
@_exported public import PhotosCompanions
