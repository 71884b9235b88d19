// A name for `import UIKit`: UIImage and what else PhotoKit uses of it.
@_exported public import PhotosCompanions
