package import BinaryCoding
internal import Glibc
package import LibraryService
package import PhotoModel

/// A library that passes each call to another library in this process, as a connection would.
///
/// Requests, replies and errors are encoded and decoded, and descriptors are duplicated, so that
/// any test fails that uses a value that cannot be sent over a connection.
package final class LoopbackLibrary: ConnectedLibrary {
    private static let peer = "this program"
    /// The minimum size, in row ids, of results that the session retains so that later requests can
    /// refer to them by digest.
    ///
    /// It is 1, so that tests with small libraries cover this case.
    private static let smallestHeld = 1

    private let base: any LibraryService
    private let coder: any WireCoder

    package convenience init(_ base: any LibraryService, coder: any WireCoder = BinaryCoder()) {
        self.init(holding: HoldingSession(base, smallest: Self.smallestHeld), coder)
    }

    private init(holding base: any LibraryService, _ coder: any WireCoder) {
        self.base = base
        self.coder = coder
    }

    package func close() { base.close() }

    package func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        let passed: SessionRequest
        do {
            passed = try coder.decode(SessionRequest.self, from: try coder.encode(request))
        } catch {
            throw LibraryError(
                .invalidRequest,
                "A request for a session could not be passed.",
                reason: CodingFailure.reason(error)
            )
        }
        do throws(LibraryError) {
            return LoopbackLibrary(holding: try base.openSession(passed), coder)
        } catch {
            throw self.passed(error)
        }
    }

    package func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        try advanceByName(request, smallest: Self.smallestHeld)
    }

    package func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        let message = try call.encode(request, descriptors: descriptors, coder: coder)
        let reply = try respond(to: try Self.passed(message))
        return try call.decodeReply(try Self.passed(reply), coder: coder, peer: Self.peer)
    }

    /// Performs a call as the daemon would, and converts its error as a connection would.
    private func respond(to message: EncodedMessage) throws(LibraryError) -> EncodedMessage {
        do throws(LibraryError) {
            return try CallTable.respond(to: message, with: base, coder: coder, peer: Self.peer)
        } catch {
            throw passed(error)
        }
    }

    /// Returns the message with duplicated file descriptors, as a socket delivers it.
    private static func passed(_ message: EncodedMessage) throws(LibraryError) -> EncodedMessage {
        var descriptors: [Descriptor] = []
        for descriptor in message.descriptors {
            let number = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
            guard number >= 0 else {
                throw SystemError.last("fcntl").libraryError("A file could not be passed.")
            }
            descriptors.append(Descriptor(owning: number))
        }
        return EncodedMessage(body: message.body, descriptors: descriptors)
    }

    /// Returns an error after a round trip through encoding and decoding.
    private func passed(_ error: LibraryError) -> LibraryError {
        do {
            let body = try coder.encode(FailureBody(error))
            return try coder.decode(FailureBody.self, from: body).error
        } catch {
            return LibraryError(
                .internalError,
                "An error could not be passed.",
                reason: CodingFailure.reason(error)
            )
        }
    }
}
