// PhotoKit's clients get Foundation with `import Photos`, as on Apple platforms.
@_exported public import Foundation
