public import Foundation

extension NSSortDescriptor {
    /// Creates a sort descriptor for a named property of the fetched objects.
    ///
    /// SQLite sorts the results of a fetch. A key that a fetch cannot sort by gives an empty result
    /// and logs the reason.
    ///
    /// - Parameters:
    ///   - key: The property's name. Nil means the object itself, which a fetch cannot sort by.
    ///   - ascending: Whether the smallest value comes first.
    public convenience init(key: String?, ascending: Bool) {
        // The key path carries the key as the argument of a subscript.
        self.init(
            keyPath: \NSObject[photosSortKey: SortKeyName(name: key)],
            ascending: ascending,
            comparator: { left, right in SortKeyValue.compare(left, right) }
        )
    }

    /// Creates a sort descriptor for a property whose type is not `Comparable`, such as an optional
    /// date.
    ///
    /// - Parameters:
    ///   - keyPath: A property of `PHAsset`, `PHCollection`, `PHAssetCollection` or
    ///     `PHCollectionList`.
    ///   - ascending: Whether the smallest value comes first.
    @_disfavoredOverload
    public convenience init<Object: PHObject, Value>(
        keyPath: KeyPath<Object, Value>,
        ascending: Bool
    ) {
        self.init(key: Self.propertyName(of: keyPath) ?? "\(keyPath)", ascending: ascending)
    }

    /// The name of the property to sort by, or nil when the key path is not a known property.
    public var key: String? {
        if let path = keyPath as? PartialKeyPath<NSObject>,
            let value = PHAsset()[keyPath: path] as? SortKeyValue
        {
            return value.key.name
        }
        return Self.propertyName(of: keyPath)
    }

    private static func propertyName(of keyPath: AnyKeyPath) -> String? {
        properties.first { $0.keyPath == keyPath }?.name
    }

    private static var properties: [(keyPath: AnyKeyPath, name: String)] {
        [
            (\PHAsset.creationDate, "creationDate"),
            (\PHAsset.modificationDate, "modificationDate"),
            (\PHAsset.addedDate, "addedDate"),
            (\PHAsset.mediaType, "mediaType"),
            (\PHAsset.mediaType.rawValue, "mediaType"),
            (\PHAsset.mediaSubtypes, "mediaSubtypes"),
            (\PHAsset.mediaSubtypes.rawValue, "mediaSubtypes"),
            (\PHAsset.playbackStyle, "playbackStyle"),
            (\PHAsset.playbackStyle.rawValue, "playbackStyle"),
            (\PHAsset.duration, "duration"),
            (\PHAsset.pixelWidth, "pixelWidth"),
            (\PHAsset.pixelHeight, "pixelHeight"),
            (\PHAsset.isFavorite, "isFavorite"),
            (\PHAsset.isHidden, "isHidden"),
            (\PHAsset.rating, "rating"),
            (\PHAsset.rating.rawValue, "rating"),
            (\PHAsset.localIdentifier, "localIdentifier"),
            (\PHObject.localIdentifier, "localIdentifier"),
            (\PHAsset.burstIdentifier, "burstIdentifier"),
            (\PHAsset.representsBurst, "representsBurst"),
            (\PHAsset.hasAdjustments, "hasAdjustments"),
            (\PHAsset.adjustmentTimestamp, "adjustmentTimestamp"),
            (\PHAsset.adjustmentFormatIdentifier, "adjustmentFormatIdentifier"),
            (\PHCollection.localIdentifier, "localIdentifier"),
            (\PHCollection.localizedTitle, "localizedTitle"),
            (\PHCollection.modificationDate, "modificationDate"),
            (\PHAssetCollection.localIdentifier, "localIdentifier"),
            (\PHAssetCollection.localizedTitle, "localizedTitle"),
            (\PHAssetCollection.modificationDate, "modificationDate"),
            (\PHAssetCollection.estimatedAssetCount, "estimatedAssetCount"),
            (\PHAssetCollection.startDate, "startDate"),
            (\PHAssetCollection.endDate, "endDate"),
            (\PHCollectionList.localIdentifier, "localIdentifier"),
            (\PHCollectionList.localizedTitle, "localizedTitle"),
            (\PHCollectionList.modificationDate, "modificationDate"),
        ]
    }
}

/// The sort key of a sort descriptor: the name of a property, or nil for the object itself.
///
/// A sort descriptor stores a key path. The name is the argument of a subscript in that key path.
struct SortKeyName: Hashable, Sendable {
    let name: String?
}

/// An object's value for a sort key, together with that sort key.
///
/// The subscript with a `SortKeyName` returns it.
struct SortKeyValue {
    let key: SortKeyName
    let value: Any?

    /// Compares two values, for clients that sort objects themselves.
    ///
    /// Nil sorts first.
    static func compare(_ left: Any, _ right: Any) -> ComparisonResult {
        switch ((left as? SortKeyValue)?.value, (right as? SortKeyValue)?.value) {
        case (nil, nil): .orderedSame
        case (nil, _): .orderedAscending
        case (_, nil): .orderedDescending
        case (let left as Date, let right as Date): order(left, right)
        case (let left as String, let right as String): order(left, right)
        case (let left as NSNumber, let right as NSNumber): left.compare(right)
        default: .orderedSame
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult
    {
        left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    }
}

extension NSObject {
    subscript(photosSortKey key: SortKeyName) -> SortKeyValue {
        SortKeyValue(key: key, value: (self as? PHObject)?.value(forKey: key.name ?? ""))
    }
}
