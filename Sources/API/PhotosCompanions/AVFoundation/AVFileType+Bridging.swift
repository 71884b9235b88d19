public import Foundation

extension AVFileType: _ObjectiveCBridgeable {
    /// Text, as Foundation has it.
    public typealias _ObjectiveCType = NSString

    /// The identifier.
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

    /// A type by its identifier.
    public static func _forceBridgeFromObjectiveC(
        _ source: NSString,
        result: inout AVFileType?
    ) {
        result = AVFileType(source.description)
    }

    /// A type by its identifier.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSString,
        result: inout AVFileType?
    ) -> Bool {
        result = AVFileType(source.description)
        return true
    }

    /// A type by its identifier; an empty one for nil.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> AVFileType {
        AVFileType(source?.description ?? "")
    }
}
