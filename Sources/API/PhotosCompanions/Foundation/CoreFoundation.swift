public import Foundation

// Core Foundation's types, which programs write to name types of files and properties of images:
// `url as CFURL`, `kUTTypeImage as String`. Each is the class of Foundation that Apple bridges it to.

/// Text.
public typealias CFString = NSString

/// A place of a file.
public typealias CFURL = NSURL

/// Bytes.
public typealias CFData = NSData

/// Bytes that can grow.
public typealias CFMutableData = NSMutableData

/// Objects by keys.
public typealias CFDictionary = NSDictionary

/// Objects in an order.
public typealias CFArray = NSArray

/// A number.
public typealias CFNumber = NSNumber

/// A truth value.
public typealias CFBoolean = NSNumber

/// Nothing, as an object.
public typealias CFNull = NSNull

/// Any object of Core Foundation.
public typealias CFTypeRef = AnyObject

/// A number of things, or a place among them.
public typealias CFIndex = Int

/// Seconds.
public typealias CFTimeInterval = Double

/// Seconds since the start of 2001, UTC.
public typealias CFAbsoluteTime = Double

/// True, as an object; optional as in Core Foundation, and never nil.
public var kCFBooleanTrue: CFBoolean? { NSNumber(value: true) }

/// False, as an object; optional as in Core Foundation, and never nil.
public var kCFBooleanFalse: CFBoolean? { NSNumber(value: false) }

/// Nothing, as an object; optional as in Core Foundation, and never nil.
public var kCFNull: CFNull? { NSNull() }

/// Now, in seconds since the start of 2001, UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    Date().timeIntervalSinceReferenceDate
}
