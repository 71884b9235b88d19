extension String {
    /// Indicates whether a uniform type identifier names a camera's RAW format: all of these end in
    /// `raw-image`.
    package var isRAWContentType: Bool { hasSuffix("raw-image") }
}
