public import Foundation

/// An error that casts to and from `NSError`, which Swift provides by itself where there is Objective-C.
///
/// Values stay what they are: a dictionary of information holds the error itself, and both
/// `as? NSError` and a cast to its own type find it there.
public protocol NSErrorBridging: CustomNSError, _ObjectiveCBridgeable
where _ObjectiveCType == NSError {
    /// Makes an error of an `NSError` of this type's domain; nil for one of another domain.
    init?(bridging error: NSError)
}

extension NSErrorBridging {
    /// The error as an `NSError`: domain, code and user info.
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
    }

    /// Makes an error of an `NSError`, which has to be of this type's domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(bridging: source)
        precondition(
            result != nil,
            "An NSError of the domain \(source.domain) cannot be cast to \(Self.self)."
        )
    }

    /// Makes an error of an `NSError` of this type's domain.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError,
        result: inout Self?
    ) -> Bool {
        result = Self(bridging: source)
        return result != nil
    }

    /// Makes an error of an `NSError`, which has to be there and of this type's domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        guard let error = source.flatMap(Self.init(bridging:)) else {
            preconditionFailure("\(source?.domain ?? "nil") cannot be cast to \(Self.self).")
        }
        return error
    }
}
