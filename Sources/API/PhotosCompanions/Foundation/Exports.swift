// PhotoKit's clients get Foundation with `import Photos`, as they do on Apple's systems.
@_exported public import Foundation
