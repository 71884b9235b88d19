extension String {
    /// Whether a uniform type identifier is that of a camera's RAW format: all of them end alike.
    package var isRAWContentType: Bool { hasSuffix("raw-image") }
}
