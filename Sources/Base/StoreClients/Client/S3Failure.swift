internal import FoundationEssentials
internal import ObjectStorage

/// The parts of an S3 error answer from which an ``ObjectStoreError`` is created.
struct S3Failure: Sendable {
    var status: UInt
    /// The error code in the answer's XML, such as `NoSuchKey`; empty if there is none.
    var code: String
    var message: String
    var region: String?
    var retryAfter: Duration?
    var serverDate: Date?

    /// Returns the failure as an ``ObjectStoreError``.
    ///
    /// - Parameters:
    ///   - action: A verb with its object: `write log/1/2`.
    ///   - key: The object of the request, if it has one.
    ///   - place: The name of the store.
    ///   - isChange: Indicates whether the request changes the store.
    /// - Returns: The error with the store's words, pause, clock and region.
    func storeError(
        doing action: String,
        key: ObjectKey?,
        in place: String,
        isChange: Bool
    ) -> ObjectStoreError {
        var error =
            kind(key: key).map { kind in
                ObjectStoreError(
                    kind.code,
                    "The store \(place) refused to \(action): \(kind.text).",
                    reason: words,
                    recovery: kind.recovery
                )
            }
            ?? ObjectStoreError(
                .unexpectedAnswer,
                "The store \(place) refused to \(action) for an unknown reason.",
                reason: words,
                recovery: ObjectStoreError.reportProvider
            )
        // A gateway in between may report a failure of a request that takes effect.
        error.hasUnknownOutcome = isChange && status >= 500 && error.code == .serverFault
        error.retryAfter = retryAfter
        error.serverDate = serverDate
        error.region = region
        return error
    }

    private var words: String {
        ["HTTP \(status)", code, message].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private typealias Kind = (code: ObjectStoreError.Code, text: String, recovery: String)

    private func kind(key: ObjectKey?) -> Kind? {
        byCode(key: key) ?? byStatus(key: key)
    }

    private func byCode(key: ObjectKey?) -> Kind? {
        switch code {
        case "NoSuchBucket":
            (.storeAbsent, "the bucket does not exist", "Correct the bucket's name, or create it.")
        case "NoSuchKey", "NoSuchUpload": missing(key)
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken",
            "TokenRefreshRequired", "InvalidSecurity", "NotSignedUp":
            (
                .wrongCredentials, "the credentials are wrong or expired",
                "Check the access key, the secret key and the session token."
            )
        case "AccessDenied", "AllAccessDisabled", "AccountProblem", "MethodNotAllowed":
            (
                .accessDenied, "the credentials do not permit it",
                "Use credentials that may read, write, list and delete in the bucket."
            )
        case "RequestTimeTooSkewed", "RequestExpired":
            (.clockSkew, "its clock and this computer's differ", "Set this computer's clock.")
        case "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch":
            (
                .damaged, "other bytes arrived than were sent",
                "Check the connection and the file, and try again."
            )
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect",
            "IllegalLocationConstraintException":
            elsewhere
        case "QuotaExceeded", "InsufficientStorage", "InsufficientCapacity", "StorageFull",
            "XMinioStorageFull", "StorageQuotaExceeded":
            (.full, "it is full", "Delete what is not needed, or get more space.")
        case "EntityTooLarge":
            (.tooLarge, "the object is too large for it", "Use a provider with a higher limit.")
        case "InvalidRange":
            (.rangeNotSatisfiable, "the object is shorter", "Read it from its beginning.")
        case "SlowDown", "TooManyRequests", "Throttling", "ThrottlingException",
            "RequestLimitExceeded", "OperationAborted":
            (.throttled, "it asks for fewer requests", ObjectStoreError.tryAgain)
        case "RequestTimeout":
            (.unreachable, "the request arrived too slowly", "Check the connection.")
        case "NotImplemented":
            (.unsupported, "it lacks the function", "Use another provider.")
        default: nil
        }
    }

    private func byStatus(key: ObjectKey?) -> Kind? {
        switch status {
        case 300..<400: elsewhere
        case 401, 403:
            (
                .accessDenied, "access is denied",
                "Check the credentials and the permissions of the bucket."
            )
        case 404: missing(key)
        case 408: (.unreachable, "the request arrived too slowly", "Check the connection.")
        case 413: (.tooLarge, "the object is too large for it", "Use another provider.")
        case 416: (.rangeNotSatisfiable, "the object is shorter", "Read it from its beginning.")
        case 429: (.throttled, "it asks for fewer requests", ObjectStoreError.tryAgain)
        case 501: (.unsupported, "it lacks the function", "Use another provider.")
        case 507: (.full, "it is full", "Delete what is not needed, or get more space.")
        case 500..<600: (.serverFault, "it failed itself", ObjectStoreError.tryAgain)
        default: nil
        }
    }

    private var elsewhere: Kind {
        let region = region.map { ", in the region \(ObjectStoreError.printable($0))" } ?? ""
        return (
            .wrongRegion, "the bucket is elsewhere\(region)",
            "Correct the region and the endpoint; redirects are not followed."
        )
    }

    private func missing(_ key: ObjectKey?) -> Kind {
        guard let key else {
            return (.notFound, "it does not exist", "Check the address of the store.")
        }
        return (.notFound, "there is no \(key)", "Check that the store is complete.")
    }
}
