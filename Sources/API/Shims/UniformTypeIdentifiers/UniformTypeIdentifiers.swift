// A name for `import UniformTypeIdentifiers`: kinds of files.
@_exported public import PhotosCompanions
