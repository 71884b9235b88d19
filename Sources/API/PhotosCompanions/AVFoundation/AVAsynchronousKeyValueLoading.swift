public import Foundation

/// The loading status of a value.
public enum AVKeyValueStatus: Int, Sendable, CaseIterable {
    /// The value has not been requested.
    case unknown = 0
    /// The value is being loaded.
    case loading = 1
    /// The value is available.
    case loaded = 2
    /// The value can't be loaded.
    case failed = 3
    /// Loading was canceled.
    case cancelled = 4
}

/// An object whose values are loaded from a file on first access.
///
/// Plain properties block until the file has been read. `load` does that off the caller's thread.
/// All values of an object become available together.
public protocol AVAsynchronousKeyValueLoading: AnyObject {
    /// Returns the loading status of a value, without blocking.
    ///
    /// - Parameters:
    ///   - key: The name of a property.
    ///   - outError: Receives the reason if the status is `failed`.
    /// - Returns: `unknown` until the first request for a value.
    func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus

    /// Loads values, and calls the handler once on an unspecified queue, after success or failure.
    func loadValuesAsynchronously(
        forKeys keys: [String],
        completionHandler handler: (() -> Void)?
    )
}

/// A type-erased key of an asynchronously loaded property.
open class AVAnyAsyncProperty: @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable.

    /// The property's name.
    let key: String

    init(key: String) {
        self.key = key
    }
}

/// A key of an asynchronously loaded property of `Root` objects, with the type of the value erased.
open class AVPartialAsyncProperty<Root>: AVAnyAsyncProperty, @unchecked Sendable {}

/// A key of an asynchronously loaded property, such as an asset's `.duration`.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    // Unchecked like its superclass; its stored state is immutable.

    /// The loading status of the property, with its value or error.
    public enum Status {
        /// The value has not been requested.
        case notYetLoaded
        /// The value is being loaded.
        case loading
        /// The value is available.
        case loaded(Value)
        /// The value can't be loaded.
        case failed(NSError)
    }

    let read: @Sendable (Root) throws -> Value

    init(_ key: String, _ read: @escaping @Sendable (Root) throws -> Value) {
        self.read = read
        super.init(key: key)
    }
}

extension AVAsynchronousKeyValueLoading {
    /// Returns the loading status of a property, without blocking.
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

    /// Loads a value, without blocking the caller's thread.
    ///
    /// - Throws: An ``AVError`` with the reason if the file can't be read.
    public func load<A>(_ property: AVAsyncProperty<Self, A>) async throws -> A {
        try Task.checkCancellation()
        let work = UncheckedValue(value: { try property.read(self) })
        return try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<UncheckedValue<A>, any Error>) in
            MovieQueues.read {
                continuation.resume(with: Result { UncheckedValue(value: try work.value()) })
            }
        }
        .value
    }

    /// Loads two values.
    public func load<A, B>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>
    ) async throws -> (A, B) {
        (try await load(propertyA), try await load(propertyB))
    }

    /// Loads three values.
    public func load<A, B, C>(
        _ propertyA: AVAsyncProperty<Self, A>,
        _ propertyB: AVAsyncProperty<Self, B>,
        _ propertyC: AVAsyncProperty<Self, C>
    ) async throws -> (A, B, C) {
        (try await load(propertyA), try await load(propertyB), try await load(propertyC))
    }

    /// Loads four values.
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

    /// Loads five values.
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

private let unreadable = AVError(.unknown, "The value cannot be read for an unknown reason.")

/// A wrapper for a value that is passed between threads and used by only one thread at a time.
struct UncheckedValue<Value>: @unchecked Sendable {
    let value: Value
}
