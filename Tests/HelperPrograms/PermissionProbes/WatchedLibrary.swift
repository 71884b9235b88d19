internal import Foundation
package import LibraryService
package import PhotoModel
package import RemoteLibrary
internal import Synchronization

/// A library that looks for a path in each reply and each error that a client receives.
package final class WatchedLibrary: CallingLibrary {
    /// The calls whose answers were examined.
    package struct Record: Codable, Sendable {
        package var calls: Set<String> = []
        /// The calls of which an answer contained the path.
        package var revealing: Set<String> = []
    }

    /// A record that the sessions of a client share.
    private final class SharedRecord: Sendable {
        let value = Mutex(Record())
    }

    private let base: any CallingLibrary
    private let path: String
    private let shared: SharedRecord

    /// - Parameters:
    ///   - base: The library of the client.
    ///   - path: The path to look for.
    package convenience init(_ base: any CallingLibrary, path: String) {
        self.init(base, path, SharedRecord())
    }

    private init(_ base: any CallingLibrary, _ path: String, _ shared: SharedRecord) {
        self.base = base
        self.path = path
        self.shared = shared
    }

    /// The answers so far.
    package var record: Record { shared.value.withLock { $0 } }

    package func close() { base.close() }

    package func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        do throws(LibraryError) {
            let session = try base.openSession(request)
            guard let session = session as? any CallingLibrary else { return session }
            return WatchedLibrary(session, path, shared)
        } catch {
            examine(error, of: "openSession")
            throw error
        }
    }

    package func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        do throws(LibraryError) {
            let result = try base.perform(call, request, descriptors: descriptors)
            examine(result.reply, of: call.name)
            return result
        } catch {
            examine(error, of: call.name)
            throw error
        }
    }

    private func examine(_ answer: some Encodable, of call: String) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A text that cannot be examined counts as one with the path.
        let text = (try? encoder.encode(answer)).map { String(decoding: $0, as: UTF8.self) }
        let isRevealing = text?.contains(path) ?? true
        shared.value.withLock { record in
            record.calls.insert(call)
            if isRevealing { record.revealing.insert(call) }
        }
    }
}

/// What a client reports about all probes.
package struct ProbeReport: Codable, Sendable {
    /// The outcomes by the names of the probes.
    package var outcomes: [String: String]
    package var answers: WatchedLibrary.Record

    /// Makes all probes, and closes the library.
    ///
    /// - Parameters:
    ///   - library: The library of the client.
    ///   - path: The path of the library's folder, to look for in answers.
    ///   - subjects: The objects to ask about.
    package init(of library: any CallingLibrary, path: String, _ subjects: ProbeSubjects) {
        let watched = WatchedLibrary(library, path: path)
        let results = PermissionProbe.all.map { ($0.name, $0.run(watched, subjects)) }
        watched.close()
        outcomes = Dictionary(uniqueKeysWithValues: results)
        answers = watched.record
    }
}
