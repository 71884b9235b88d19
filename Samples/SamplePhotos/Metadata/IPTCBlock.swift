package import Foundation

/// Builds IPTC data sets (IIM 4) of record 2.
package struct IPTCBlock {
    private var writer = ByteWriter()

    package init() {}

    /// Builds the date and time data sets of the metadata; nil if it has neither.
    init?(metadata: SampleMetadata) {
        guard metadata.iptcDay != nil || metadata.iptcTime != nil else { return nil }
        if let day = metadata.iptcDay { append(55, day) }
        if let time = metadata.iptcTime { append(60, time) }
    }

    /// The data sets only.
    package var data: Data { writer.data }

    /// The data sets as a Photoshop resource.
    package var photoshopResource: Data {
        var resource = ByteWriter()
        resource.append(ascii: "8BIM")
        resource.append(UInt16(0x0404))
        resource.append(UInt16(0))
        resource.append(UInt32(data.count))
        resource.append(data)
        resource.align(to: 2)
        return resource.data
    }

    /// Appends a text data set.
    package mutating func append(_ number: UInt8, _ text: String) {
        writer.append([0x1C, 2, number])
        writer.append(UInt16(text.utf8.count))
        writer.append(ascii: text)
    }
}
