extension AVError {
    /// An error that no other code describes.
    public static var unknown: Code { .unknown }
    /// The volume is full.
    public static var diskFull: Code { .diskFull }
    /// The result would exceed the maximum file size.
    public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
    /// The export failed.
    public static var exportFailed: Code { .exportFailed }
    /// The samples could not be decoded.
    public static var decodeFailed: Code { .decodeFailed }
    /// A file already exists at the output location.
    public static var fileAlreadyExists: Code { .fileAlreadyExists }
    /// The file's format is not recognized.
    public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
    /// The file is damaged.
    public static var fileFailedToParse: Code { .fileFailedToParse }
    /// A track is encrypted.
    public static var contentIsProtected: Code { .contentIsProtected }
    /// The asset does not support the requested operation.
    public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
    /// The file could not be read.
    public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
    /// The object does not allow the operation in its current state.
    public static var operationNotAllowed: Code { .operationNotAllowed }
    /// The operation was canceled.
    public static var operationCancelled: Code { .operationCancelled }
}

extension AVError.Code {
    /// Returns whether an error has this code, so that `catch AVError.diskFull` works.
    public static func ~= (code: AVError.Code, error: any Error) -> Bool {
        (error as? AVError)?.code == code
    }
}
