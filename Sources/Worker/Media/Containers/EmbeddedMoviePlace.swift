/// The position of the movie in a motion photo's file, relative to the end of the file.
package struct EmbeddedMoviePlace {
    /// The length of the movie in bytes.
    package var length: Int
    /// The number of bytes after the movie.
    package var tail: Int

    /// Creates the position of a movie in a file; returns nil if the movie is empty or not a part
    /// of the file.
    init?(_ movie: ByteView, in file: ByteView) {
        guard let offset = file.offset(of: movie), !movie.isEmpty else { return nil }
        length = movie.count
        tail = file.count - offset - movie.count
    }

    /// Finds the movie in the blocks that Samsung's cameras append to a photo.
    ///
    /// The blocks are contiguous. An index, `SEFH`, follows; it lists for each block its distance
    /// in bytes before the index. The index's length and `SEFT` come last. Numbers are
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
            // Newer cameras store a note here, and the movie in a separate box.
            guard movie.starts(with: "ftyp", at: 4) else { continue }
            self.init(movie, in: file)
            return
        }
        return nil
    }

    private static let maximumBlocks = 1_000
    /// The block type of `MotionPhoto_Data`.
    private static let movieBlock = 0x0a30
}
