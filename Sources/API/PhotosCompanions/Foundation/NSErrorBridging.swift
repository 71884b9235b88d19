public import Foundation

/// An error type that can be cast to and from `NSError`.
///
/// On platforms with Objective-C, Swift provides this for all errors.
///
/// Values keep their type: a user info dictionary stores the error itself, and both `as? NSError`
/// and a cast to the error's own type succeed for such a value.
public protocol NSErrorBridging: CustomNSError, _ObjectiveCBridgeable
where _ObjectiveCType == NSError {
    /// Creates an error from an `NSError` of this type's domain; nil for another domain.
    init?(bridging error: NSError)
}

extension NSErrorBridging {
    /// The error as an `NSError`: domain, code and user info.
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
    }

    /// Creates an error from an `NSError`, which must be of this type's domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(bridging: source)
        precondition(
            result != nil,
            "An NSError of the domain \(source.domain) cannot be cast to \(Self.self)."
        )
    }

    /// Converts an `NSError` of this type's domain; returns false for an error of another domain.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError,
        result: inout Self?
    ) -> Bool {
        result = Self(bridging: source)
        return result != nil
    }

    /// Creates an error from an `NSError`, which must not be nil and must be of this type's domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        guard let error = source.flatMap(Self.init(bridging:)) else {
            preconditionFailure("\(source?.domain ?? "nil") cannot be cast to \(Self.self).")
        }
        return error
    }
}
