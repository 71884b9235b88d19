public import Foundation

/// Where a call says why it failed, as Objective-C does.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
