extension AVError {
    /// No other kind fits.
    public static var unknown: Code { .unknown }
    /// The volume is full.
    public static var diskFull: Code { .diskFull }
    /// The result would be larger than allowed.
    public static var maximumFileSizeReached: Code { .maximumFileSizeReached }
    /// The movie could not be made.
    public static var exportFailed: Code { .exportFailed }
    /// The samples could not be decoded.
    public static var decodeFailed: Code { .decodeFailed }
    /// Something is where the result would go.
    public static var fileAlreadyExists: Code { .fileAlreadyExists }
    /// The file is no movie that is known.
    public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
    /// The file is damaged.
    public static var fileFailedToParse: Code { .fileFailedToParse }
    /// A track is encrypted.
    public static var contentIsProtected: Code { .contentIsProtected }
    /// The movie can't be made into what was asked for.
    public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
    /// The file could not be read.
    public static var failedToLoadMediaData: Code { .failedToLoadMediaData }
    /// The object can't do that now.
    public static var operationNotAllowed: Code { .operationNotAllowed }
    /// The program cancelled it.
    public static var operationCancelled: Code { .operationCancelled }
}

extension AVError.Code {
    /// Whether an error has this code, so that `catch AVError.diskFull` works.
    public static func ~= (code: AVError.Code, error: any Error) -> Bool {
        (error as? AVError)?.code == code
    }
}
