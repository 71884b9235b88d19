/// The subdirectories (SubIFDs) of a TIFF file's first directory.
///
/// In RAW files of some makers, one of them contains the sensor data. In other TIFF files, they are
/// smaller versions of the picture in the first directory.
struct TIFFSubdirectories {
    /// The maximum number of subdirectories that are examined; RAW files have a few, and pyramids
    /// one for each halving of the size.
    private static let maximumCount = 64
    /// The photometric interpretations of pixels that are not sensor data: gray, RGB, palette,
    /// CMYK, Y′CbCr and the variants of L*a*b*.
    private static let plain: Set<Int> = [0, 1, 2, 3, 5, 6, 8, 9, 10]

    private let bytes: ByteView
    private let first: TagDirectory

    init(of first: TagDirectory, in bytes: ByteView) {
        self.first = first
        self.bytes = bytes
    }

    /// Indicates whether there are subdirectories, and one of them may contain sensor data.
    ///
    /// False only if the first directory is a full-size picture and all subdirectories are known to
    /// be reduced versions.
    var mayContainSensorData: Bool {
        guard let value = first[0x014a] else { return false }
        guard let order = TagDirectory.isBigEndian(bytes), isWholePicture(first), value.count > 0,
            value.count <= Self.maximumCount
        else { return true }
        return (0..<value.count).contains { index in
            guard let offset = value.integer(at: index),
                let directory = TagDirectory(in: bytes, at: offset, isBigEndian: order)
            else { return true }
            return !isReducedVersion(directory)
        }
    }

    private func isWholePicture(_ directory: TagDirectory) -> Bool {
        !isReduced(directory) && isPlain(directory)
            && (directory[0x0111] != nil || directory[0x0144] != nil)
    }

    /// Returns whether a directory's picture is a reduced version of the first directory's.
    private func isReducedVersion(_ directory: TagDirectory) -> Bool {
        guard isReduced(directory), isPlain(directory), let width = first[0x0100]?.integer,
            let height = first[0x0101]?.integer, let ownWidth = directory[0x0100]?.integer,
            let ownHeight = directory[0x0101]?.integer
        else { return false }
        return ownWidth <= width && ownHeight <= height
    }

    /// Returns whether NewSubfileType marks a directory's picture as a reduced one.
    private func isReduced(_ directory: TagDirectory) -> Bool {
        (directory[0x00fe]?.integer ?? 0) & 1 != 0
    }

    private func isPlain(_ directory: TagDirectory) -> Bool {
        directory[0x0106]?.integer.map(Self.plain.contains) ?? false
    }
}
