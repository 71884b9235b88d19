/// Where the movie of a motion photo lies in the still, counted from the file's end.
package struct EmbeddedMoviePlace {
    /// Its bytes.
    package var length: Int
    /// How many bytes follow it.
    package var tail: Int

    /// A movie that is a part of a file.
    init?(_ movie: ByteView, in file: ByteView) {
        guard let offset = file.offset(of: movie), !movie.isEmpty else { return nil }
        length = movie.count
        tail = file.count - offset - movie.count
    }

    /// The movie in the blocks that Samsung's cameras write behind a picture.
    ///
    /// The blocks lie one after the other. Behind them comes an index, `SEFH`, which says of each how
    /// many bytes before the index it begins; behind that the index's length and `SEFT`. Numbers are
    /// little-endian.
    init?(samsungTrailerOf file: ByteView) {
        guard file.starts(with: "SEFT", at: file.count - 4),
            let length = file.integer32(at: file.count - 8, isBigEndian: false),
            let index = file.part(at: file.count - 8 - length, length: length),
            index.starts(with: "SEFH"), let count = index.integer32(at: 8, isBigEndian: false)
        else { return nil }
        let start = file.count - 8 - length
        for number in 0..<min(count, Self.maximumBlocks) {
            let entry = 12 + 12 * number
            guard let type = index.integer16(at: entry + 2, isBigEndian: false),
                let distance = index.integer32(at: entry + 4, isBigEndian: false),
                let size = index.integer32(at: entry + 8, isBigEndian: false)
            else { return nil }
            guard type == Self.movieBlock,
                let block = file.part(at: start - distance, length: size),
                let name = block.integer32(at: 4, isBigEndian: false)
            else { continue }
            let movie = block.available(at: 8 + name)
            // Newer cameras put a note here, and the movie in a box of its own.
            guard movie.starts(with: "ftyp", at: 4) else { continue }
            self.init(movie, in: file)
            return
        }
        return nil
    }

    private static let maximumBlocks = 1_000
    /// `MotionPhoto_Data`.
    private static let movieBlock = 0x0a30
}
