/// A box of the ISO base media file format, JPEG 2000 and related formats.
package struct ISOBox {
    private static let maximumBoxes = 10_000

    package var type: String
    /// The content after the box's header.
    package var body: ByteView
    /// Indicates whether the file contains the whole box.
    package var isComplete: Bool

    /// Returns the consecutive boxes in `bytes`, up to the first invalid one.
    package static func boxes(in bytes: ByteView) -> [ISOBox] {
        var result: [ISOBox] = []
        var position = 0
        while result.count < maximumBoxes, let short = bytes.integer32(at: position),
            let type = bytes.code(at: position + 4)
        {
            var header = 8
            var length = short
            if short == 1 {
                guard let long = bytes.number(at: position + 8, length: 8), long <= Int.max / 2
                else { break }
                header = 16
                length = Int(long)
            } else if short == 0 {
                length = bytes.count - position
            }
            guard length >= header else { break }
            let isComplete = length <= bytes.count - position
            result.append(
                ISOBox(
                    type: type,
                    body: bytes.available(at: position + header, length: length - header),
                    isComplete: isComplete
                )
            )
            guard isComplete else { break }
            position += length
        }
        return result
    }

    package static func first(_ type: String, in bytes: ByteView) -> ISOBox? {
        boxes(in: bytes).first { $0.type == type }
    }

    /// Returns the content of the box at a path of nested box types; nil if there is none.
    ///
    /// The first box of each type is used.
    package static func find(_ path: [String], in bytes: ByteView) -> ByteView? {
        var view = bytes
        for type in path {
            guard let box = first(type, in: view) else { return nil }
            view = box.body
        }
        return view
    }
}
