public import Foundation

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    /// See ``AVMetadataItem/value``.
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
        AVAsyncProperty("value") { $0.value }
    }

    /// See ``AVMetadataItem/stringValue``.
    public static var stringValue: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("stringValue") { $0.stringValue }
    }

    /// See ``AVMetadataItem/numberValue``.
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> {
        AVAsyncProperty("numberValue") { $0.numberValue }
    }

    /// See ``AVMetadataItem/dateValue``.
    public static var dateValue: AVAsyncProperty<Root, Date?> {
        AVAsyncProperty("dateValue") { $0.dateValue }
    }

    /// See ``AVMetadataItem/dataValue``.
    public static var dataValue: AVAsyncProperty<Root, Data?> {
        AVAsyncProperty("dataValue") { $0.dataValue }
    }
}
