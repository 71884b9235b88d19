// A name for `import CoreLocation`: places.
@_exported public import PhotosCompanions
