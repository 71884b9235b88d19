public import Foundation
internal import PhotoModel

/// A gain map as Apple's cameras write it: how much of a headroom there is.
public var kCGImageAuxiliaryDataTypeHDRGainMap: CFString { "kCGImageAuxiliaryDataTypeHDRGainMap" }
/// A gain map as ISO 21496-1 and Adobe describe it: stops.
public var kCGImageAuxiliaryDataTypeISOGainMap: CFString { "kCGImageAuxiliaryDataTypeISOGainMap" }
/// Depth, which is not read here.
public var kCGImageAuxiliaryDataTypeDepth: CFString { "kCGImageAuxiliaryDataTypeDepth" }
/// Disparity, which is not read here.
public var kCGImageAuxiliaryDataTypeDisparity: CFString { "kCGImageAuxiliaryDataTypeDisparity" }
/// A matte of people, which is not read here.
public var kCGImageAuxiliaryDataTypePortraitEffectsMatte: CFString {
    "kCGImageAuxiliaryDataTypePortraitEffectsMatte"
}
/// The key of the pixels: `CFData`.
public var kCGImageAuxiliaryDataInfoData: CFString { "kCGImageAuxiliaryDataInfoData" }
/// The key of how pixels lie: `Width`, `Height`, `BytesPerRow` and `PixelFormat` (`L008` or `BGRA`).
public var kCGImageAuxiliaryDataInfoDataDescription: CFString {
    "kCGImageAuxiliaryDataInfoDataDescription"
}
/// The key of what the data say of themselves: ``CGImageMetadata``.
public var kCGImageAuxiliaryDataInfoMetadata: CFString { "kCGImageAuxiliaryDataInfoMetadata" }

/// What auxiliary data say of themselves; made by
/// ``CGImageSourceCopyAuxiliaryDataInfoAtIndex(_:_:_:)`` and handed on as it is.
public final class CGImageMetadata: Sendable, Hashable {
    let map: GainMap?

    init(_ map: GainMap?) {
        var map = map
        // Files say the same number once or for each channel.
        if case .stops(let channels)? = map?.meaning, Set(channels).count == 1 {
            map?.meaning = .stops([channels[0]])
        }
        self.map = map
    }

    /// Equal when they say the same.
    public static func == (one: CGImageMetadata, other: CGImageMetadata) -> Bool {
        one.map == other.map
    }

    /// Agrees with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(map) }
}

/// Writes metadata as an XMP packet.
///
/// - Parameters:
///   - metadata: What is written.
///   - options: Not used.
/// - Returns: The packet.
public func CGImageMetadataCreateXMPData(
    _ metadata: CGImageMetadata,
    _ options: CFDictionary?
) -> CFData? {
    XMPWriter.packet(metadata.map) as NSData
}

/// Reads what lies beside a picture: a gain map.
///
/// Its pixels are as they are stored, turned as `CGImageSourceCreateImageAtIndex` turns the picture.
/// Depth and mattes are not read.
///
/// - Parameters:
///   - isrc: The file.
///   - index: 0.
///   - auxiliaryImageDataType: `kCGImageAuxiliaryDataTypeHDRGainMap` or
///     `kCGImageAuxiliaryDataTypeISOGainMap`.
/// - Returns: A dictionary of the `kCGImageAuxiliaryDataInfo…` keys; nil where there is nothing of that
///   type.
public func CGImageSourceCopyAuxiliaryDataInfoAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ auxiliaryImageDataType: CFString
) -> CFDictionary? {
    let types = [kCGImageAuxiliaryDataTypeHDRGainMap, kCGImageAuxiliaryDataTypeISOGainMap]
    guard index == 0, types.contains(auxiliaryImageDataType), let map = isrc.gainMap,
        map.type == auxiliaryImageDataType
    else { return nil }
    return map.dictionary as NSDictionary
}

/// Adds what lies beside the picture that was added last: a gain map, to JPEG and HEIC files.
///
/// - Parameters:
///   - idst: The file.
///   - auxiliaryImageDataType: `kCGImageAuxiliaryDataTypeHDRGainMap` or
///     `kCGImageAuxiliaryDataTypeISOGainMap`; data of other types are left out.
///   - auxiliaryDataInfoDictionary: As ``CGImageSourceCopyAuxiliaryDataInfoAtIndex(_:_:_:)`` gives it. What
///     does not fit together is left out.
public func CGImageDestinationAddAuxiliaryDataInfo(
    _ idst: CGImageDestination,
    _ auxiliaryImageDataType: CFString,
    _ auxiliaryDataInfoDictionary: CFDictionary
) {
    let types = [kCGImageAuxiliaryDataTypeHDRGainMap, kCGImageAuxiliaryDataTypeISOGainMap]
    guard types.contains(auxiliaryImageDataType),
        let map = AuxiliaryGainMap(PropertyValue.dictionary(auxiliaryDataInfoDictionary) ?? [:])
    else { return }
    idst.add(map)
}
