// A name for `import MobileCoreServices`: kinds of files, as older programs name them.
@_exported public import PhotosCompanions
