internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import PhotosJSON
internal import PhotosManagement

/// The error of a request, with the texts that the page displays.
struct RequestError: Error {
    /// The kinds of errors that the page distinguishes.
    enum Code: String {
        case noSession, wrongPassword, crossSite, wrongHost, hiddenLocked, viewOnly, notFound
        case notAllowed, gone, tooLarge, tooMany, badRequest, refused, changed, unreadable, away
        case failed, stopping
    }

    let code: Code
    let message: String
    var reason: String?
    var recovery: String?
    /// The URL of a file that can be downloaded instead of the requested image.
    var original: String?
    /// Additional members of the error's JSON object.
    var details: [(String, Int64)] = []

    init(_ code: Code, _ message: String, reason: String? = nil, recovery: String? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
        self.recovery = recovery
    }

    /// Converts an error of the library or of the server.
    init(_ error: any Error) {
        if let requestError = error as? RequestError {
            self = requestError
            return
        }
        if let error = error as? HTTPError {
            self = Self(error)
            return
        }
        let failure = LibraryFailure(error)
        self.init(
            Self.code(of: failure.kind),
            failure.message,
            reason: failure.reason,
            recovery: failure.recovery
        )
    }

    private init(_ error: HTTPError) {
        switch error.status {
        case .notFound: self = .notFound("This address does not exist.")
        case .methodNotAllowed:
            self.init(.notAllowed, "This address does not support the request's method.")
        case .contentTooLarge:
            self.init(.tooLarge, "The request is too large.")
        default: self.init(.badRequest, error.body ?? "The request is not valid.")
        }
    }

    private static func code(of kind: LibraryFailure.Kind) -> Code {
        switch kind {
        case .unsupportedPredicate, .unsupportedSortKey, .malformedPredicate, .invalidRequest:
            .badRequest
        case .identifierNotFound, .missingResource: .notFound
        case .invalidResource: .unreadable
        case .networkAccessRequired, .networkError: .away
        // The gallery is only denied access by the view of the library without hidden photos.
        case .accessDenied: .hiddenLocked
        case .changeNotSupported, .readOnly, .historyExpired, .busy, .noSpace, .cancelled: .refused
        default: .failed
        }
    }

    static func notFound(_ message: String) -> RequestError { RequestError(.notFound, message) }

    static func badRequest(_ message: String) -> RequestError { RequestError(.badRequest, message) }

    static let hiddenLocked = RequestError(
        .hiddenLocked,
        "Hidden photos are locked.",
        recovery: "Confirm that you want to show them."
    )

    var status: HTTPResponse.Status {
        switch code {
        case .noSession, .wrongPassword: .unauthorized
        case .crossSite, .wrongHost, .hiddenLocked, .viewOnly: .forbidden
        case .notFound: .notFound
        case .notAllowed: .methodNotAllowed
        case .gone: .gone
        case .tooLarge: .contentTooLarge
        case .tooMany: .tooManyRequests
        case .badRequest: .badRequest
        case .refused, .changed: .conflict
        case .unreadable: .unsupportedMediaType
        case .away: .badGateway
        case .failed: .internalServerError
        case .stopping: .serviceUnavailable
        }
    }

    /// The error as a JSON response.
    var response: Response {
        var error = JSONObject()
        error.add("code", code.rawValue)
        error.add("message", message)
        if let reason { error.add("reason", reason) }
        if let recovery { error.add("recovery", recovery) }
        if let original { error.add("original", original) }
        for (name, value) in details { error.add(name, value) }
        var object = JSONObject()
        object.add("error", error)
        return .json(object, status: status)
    }
}
