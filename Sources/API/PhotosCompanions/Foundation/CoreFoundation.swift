public import Foundation

// The Core Foundation types that programs use for file types and image properties, such as `url as
// CFURL` and `kUTTypeImage as String`. Each is the Foundation class that Apple bridges it to.

/// A string.
public typealias CFString = NSString

/// A URL.
public typealias CFURL = NSURL

/// A byte buffer.
public typealias CFData = NSData

/// A mutable byte buffer.
public typealias CFMutableData = NSMutableData

/// A dictionary.
public typealias CFDictionary = NSDictionary

/// An array.
public typealias CFArray = NSArray

/// A number.
public typealias CFNumber = NSNumber

/// A Boolean.
public typealias CFBoolean = NSNumber

/// A null object.
public typealias CFNull = NSNull

/// A reference to any Core Foundation object.
public typealias CFTypeRef = AnyObject

/// A count or an index.
public typealias CFIndex = Int

/// A time interval in seconds.
public typealias CFTimeInterval = Double

/// A time in seconds since the start of 2001, UTC.
public typealias CFAbsoluteTime = Double

/// The true Boolean object; optional as in Core Foundation, but never nil.
public var kCFBooleanTrue: CFBoolean? { NSNumber(value: true) }

/// The false Boolean object; optional as in Core Foundation, but never nil.
public var kCFBooleanFalse: CFBoolean? { NSNumber(value: false) }

/// The null object; optional as in Core Foundation, but never nil.
public var kCFNull: CFNull? { NSNull() }

/// Returns the current time in seconds since the start of 2001, UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    Date().timeIntervalSinceReferenceDate
}
