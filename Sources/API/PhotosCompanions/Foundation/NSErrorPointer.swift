public import Foundation

/// A pointer through which a call reports an error, as in Objective-C.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
