public import Foundation
internal import PhotoModel

/// The type of a gain map in the format of Apple's cameras.
///
/// The values of its pixels are fractions of the headroom.
public var kCGImageAuxiliaryDataTypeHDRGainMap: CFString { "kCGImageAuxiliaryDataTypeHDRGainMap" }
/// The type of a gain map as defined by ISO 21496-1 and Adobe.
///
/// The values of its pixels represent stops.
public var kCGImageAuxiliaryDataTypeISOGainMap: CFString { "kCGImageAuxiliaryDataTypeISOGainMap" }
/// The type of depth data; not supported.
public var kCGImageAuxiliaryDataTypeDepth: CFString { "kCGImageAuxiliaryDataTypeDepth" }
/// The type of disparity data; not supported.
public var kCGImageAuxiliaryDataTypeDisparity: CFString { "kCGImageAuxiliaryDataTypeDisparity" }
/// The type of a portrait effects matte; not supported.
public var kCGImageAuxiliaryDataTypePortraitEffectsMatte: CFString {
    "kCGImageAuxiliaryDataTypePortraitEffectsMatte"
}
/// The key of the pixel data: `CFData`.
public var kCGImageAuxiliaryDataInfoData: CFString { "kCGImageAuxiliaryDataInfoData" }
/// The key of the pixel format description: `Width`, `Height`, `BytesPerRow` and `PixelFormat`
/// (`L008` or `BGRA`).
public var kCGImageAuxiliaryDataInfoDataDescription: CFString {
    "kCGImageAuxiliaryDataInfoDataDescription"
}
/// The key of the metadata: ``CGImageMetadata``.
public var kCGImageAuxiliaryDataInfoMetadata: CFString { "kCGImageAuxiliaryDataInfoMetadata" }

/// The metadata of auxiliary image data, as an opaque value.
///
/// ``CGImageSourceCopyAuxiliaryDataInfoAtIndex(_:_:_:)`` creates it, and clients pass it on
/// unchanged.
public final class CGImageMetadata: Sendable, Hashable {
    let map: GainMap?

    init(_ map: GainMap?) {
        var map = map
        // Files store the same parameters once or repeat them per channel.
        if case .stops(let channels)? = map?.meaning, Set(channels).count == 1 {
            map?.meaning = .stops([channels[0]])
        }
        self.map = map
    }

    /// Returns whether both values have the same content.
    public static func == (one: CGImageMetadata, other: CGImageMetadata) -> Bool {
        one.map == other.map
    }

    /// A hash value consistent with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(map) }
}

/// Returns metadata as an XMP packet.
///
/// - Parameters:
///   - metadata: The metadata to write.
///   - options: Ignored.
/// - Returns: The packet.
public func CGImageMetadataCreateXMPData(
    _ metadata: CGImageMetadata,
    _ options: CFDictionary?
) -> CFData? {
    XMPWriter.packet(metadata.map) as NSData
}

/// Returns the gain map of an image as auxiliary data.
///
/// The pixels are in stored orientation, like those of `CGImageSourceCreateImageAtIndex`. Depth
/// data and mattes are not supported.
///
/// - Parameters:
///   - isrc: The image source.
///   - index: 0.
///   - auxiliaryImageDataType: `kCGImageAuxiliaryDataTypeHDRGainMap` or
///     `kCGImageAuxiliaryDataTypeISOGainMap`.
/// - Returns: A dictionary with the `kCGImageAuxiliaryDataInfo…` keys; nil if the file has no data
///   of that type.
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

/// Adds a gain map to the image that was added last; only JPEG and HEIC files store gain maps.
///
/// - Parameters:
///   - idst: The destination.
///   - auxiliaryImageDataType: `kCGImageAuxiliaryDataTypeHDRGainMap` or
///     `kCGImageAuxiliaryDataTypeISOGainMap`; data of other types is ignored.
///   - auxiliaryDataInfoDictionary: A dictionary in the form that
///     ``CGImageSourceCopyAuxiliaryDataInfoAtIndex(_:_:_:)`` returns. Invalid data is ignored.
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
