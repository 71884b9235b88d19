// A name for `import ImageIO`: image files: their properties, reading and writing.
@_exported public import PhotosCompanions
