// A name for `import CoreImage`: pictures as recipes, and filters.
@_exported public import PhotosCompanions
