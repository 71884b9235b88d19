public import Foundation

/// Whether a value is known.
public enum AVKeyValueStatus: Int, Sendable, CaseIterable {
    /// Nobody asked.
    case unknown = 0
    /// It is being read.
    case loading = 1
    /// It is known.
    case loaded = 2
    /// It can't be read.
    case failed = 3
    /// Reading it was cancelled.
    case cancelled = 4
}

/// What has values that are read from a file when they are first asked for.
///
/// Plain properties wait for the file; where that must not happen, `load` does it elsewhere. All values
/// of an object come at once.
public protocol AVAsynchronousKeyValueLoading: AnyObject {
    /// Whether a value is known, without waiting.
    ///
    /// - Parameters:
    ///   - key: The name of a property.
    ///   - outError: Gets the reason where the status is `failed`.
    /// - Returns: `unknown` until somebody asks for a value.
    func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus

    /// Reads values, and calls back on no particular queue: once, whatever comes of it.
    func loadValuesAsynchronously(
        forKeys keys: [String],
        completionHandler handler: (() -> Void)?
    )
}

/// The name of a value, whatever it is of.
open class AVAnyAsyncProperty: @unchecked Sendable {
    // Unchecked because the class is open; its one stored property never changes.

    /// The property's name.
    let key: String

    init(key: String) {
        self.key = key
    }
}

/// The name of a value of an object.
open class AVPartialAsyncProperty<Root>: AVAnyAsyncProperty, @unchecked Sendable {}

/// The name of a value of an object, such as `.duration` of an asset.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    // Unchecked as its superclass is; what it stores never changes.

    /// Whether a value is known.
    public enum Status {
        /// Nobody asked.
        case notYetLoaded
        /// It is being read.
        case loading
        /// It is known.
        case loaded(Value)
        /// It can't be read.
        case failed(NSError)
    }

    let read: @Sendable (Root) throws -> Value

    init(_ key: String, _ read: @escaping @Sendable (Root) throws -> Value) {
        self.read = read
        super.init(key: key)
    }
}

extension AVAsynchronousKeyValueLoading {
    /// Whether a value is known, without waiting.
    public func status<Value>(
        of property: AVAsyncProperty<Self, Value>
    ) -> AVAsyncProperty<Self, Value>.Status {
        var error: NSError?
        switch statusOfValue(forKey: property.key, error: &error) {
        case .unknown, .cancelled: return .notYetLoaded
        case .loading: return .loading
        case .failed: return .failed(error ?? unreadable.bridged)
        case .loaded:
            do {
                return .loaded(try property.read(self))
            } catch {
                return .failed((error as? AVError ?? unreadable).bridged)
            }
        }
    }

    /// Reads a value, without blocking the caller's thread.
    ///
    /// - Throws: An ``AVError``: why the file can't be read.
    public func load<A>(_ property: AVAsyncProperty<Self, A>) async throws -> A {
        try Task.checkCancellation()
        let work = UncheckedValue(value: { try property.read(self) })
        return try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<UncheckedValue<A>, any Error>) in
            movieQueue.async {
                continuation.resume(with: Result { UncheckedValue(value: try work.value()) })
            }
        }
        .value
    }

    /// Reads two values.
    public func load<A, B>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>
    ) async throws -> (A, B) {
        (try await load(propertyA), try await load(propertyB))
    }

    /// Reads three values.
    public func load<A, B, C>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>
    ) async throws -> (A, B, C) {
        (try await load(propertyA), try await load(propertyB), try await load(propertyC))
    }

    /// Reads four values.
    public func load<A, B, C, D>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>,
        _ propertyD: AVAsyncProperty<Self, D>
    ) async throws -> (A, B, C, D) {
        let (a, b) = try await load(propertyA, propertyB)
        let (c, d) = try await load(propertyC, propertyD)
        return (a, b, c, d)
    }

    /// Reads five values.
    public func load<A, B, C, D, E>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>,
        _ propertyD: AVAsyncProperty<Self, D>,
        _ propertyE: AVAsyncProperty<Self, E>
    ) async throws -> (A, B, C, D, E) {
        let (a, b, c, d) = try await load(propertyA, propertyB, propertyC, propertyD)
        return (a, b, c, d, try await load(propertyE))
    }
}

private let unreadable = AVError(.unknown, "The value can't be read, and nothing says why.")

/// Where files are waited for.
let movieQueue = DispatchQueue(label: "photos.movies", attributes: .concurrent)

/// A value on its way from one thread to another, used by one at a time.
struct UncheckedValue<Value>: @unchecked Sendable {
    let value: Value
}
