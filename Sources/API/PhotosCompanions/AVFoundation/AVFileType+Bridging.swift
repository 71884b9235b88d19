public import Foundation

extension AVFileType: _ObjectiveCBridgeable {
    /// The Foundation type that a file type bridges to.
    public typealias _ObjectiveCType = NSString

    /// Returns the file type's uniform type identifier as an `NSString`.
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

    /// Creates a file type from its identifier.
    public static func _forceBridgeFromObjectiveC(
        _ source: NSString,
        result: inout AVFileType?
    ) {
        result = AVFileType(source.description)
    }

    /// Creates a file type from its identifier.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSString,
        result: inout AVFileType?
    ) -> Bool {
        result = AVFileType(source.description)
        return true
    }

    /// Creates a file type from its identifier, or an empty file type for nil.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> AVFileType {
        AVFileType(source?.description ?? "")
    }
}
