/// A box of ISO base media files, JPEG 2000 and their kin.
package struct ISOBox {
    private static let maximumBoxes = 10_000

    package var type: String
    /// What follows the box's header.
    package var body: ByteView
    /// Whether the whole box is there.
    package var isComplete: Bool

    /// The boxes in `bytes`, one after another, as far as they make sense.
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

    /// Follows a path of boxes, the first of each name.
    package static func find(_ path: [String], in bytes: ByteView) -> ByteView? {
        var view = bytes
        for type in path {
            guard let box = first(type, in: view) else { return nil }
            view = box.body
        }
        return view
    }
}
