public import Foundation
internal import Geography
internal import LibraryService
internal import Synchronization

/// A handler for the placemarks that were found, or the error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// An offline geocoder that converts between coordinates and place names.
///
/// The names come from the library's bundled gazetteer (see ``CLPlacemark``). No data leaves the
/// machine, and requests are unlimited. Handlers are called on no particular queue. Canceling a
/// task cancels only the search that the task awaits, with the error `geocodeCanceled`.
open class CLGeocoder: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; mutable state is in a Mutex.

    private struct State {
        var running = 0
        /// The number of calls of `cancelGeocode()` so far.
        ///
        /// A search that began at a smaller number has been canceled.
        var generation = 0
    }

    private let state = Mutex(State())

    /// Creates a geocoder.
    public override init() { super.init() }

    /// A Boolean value that indicates whether a search is in progress.
    open var isGeocoding: Bool { state.withLock { $0.running > 0 } }

    /// Finds the name of a location.
    ///
    /// The handler receives one placemark, or the error `geocodeFoundNoResult` if the location is
    /// far from all known places, such as at sea.
    open func reverseGeocodeLocation(
        _ location: CLLocation,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        reverseGeocodeLocation(
            location,
            preferredLocale: nil,
            completionHandler: completionHandler
        )
    }

    /// Finds the name of a location, with the country name in the language of `locale`.
    ///
    /// Country names are in that language; other names are as in the gazetteer.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - locale: The language; nil for the user's.
    ///   - completionHandler: Receives one placemark, or an error.
    open func reverseGeocodeLocation(
        _ location: CLLocation,
        preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        answer(completionHandler) { try Self.placemarks(at: location, locale) }
    }

    /// Finds the name of a location.
    ///
    /// - Throws: A ``CLError``.
    open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
        try await reverseGeocodeLocation(location, preferredLocale: nil)
    }

    /// Finds the name of a location, with the country name in the language of `locale`, or in the
    /// user's language if `locale` is nil.
    ///
    /// - Throws: A ``CLError``.
    open func reverseGeocodeLocation(
        _ location: CLLocation,
        preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        try await found {
            reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
        }
    }

    /// Finds the location of a city or town.
    ///
    /// - Parameters:
    ///   - addressString: The name, optionally followed by region and country after commas to tell
    ///     apart places of the same name; without them the largest comes first. Streets are not
    ///     supported.
    ///   - completionHandler: Receives the placemarks, the likeliest first, or an error.
    open func geocodeAddressString(
        _ addressString: String,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        answer(completionHandler) { try Self.placemarks(named: addressString) }
    }

    /// Finds the location of a city or town.
    ///
    /// - Throws: A ``CLError``.
    open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
        try await found { geocodeAddressString(addressString, completionHandler: $0) }
    }

    /// Cancels searches in progress; their handlers receive the error `geocodeCanceled`.
    open func cancelGeocode() { state.withLock { $0.generation += 1 } }

    // MARK: - Helpers

    /// The queue of searches and their handlers; a search takes milliseconds.
    private static let queue = HandlerQueue.concurrent("photos.geocoder")

    private func answer(
        _ handler: @escaping CLGeocodeCompletionHandler,
        _ search: @escaping @Sendable () throws -> [CLPlacemark]
    ) {
        let handler = UncheckedValue(value: handler)
        let generation = state.withLock { state in
            state.running += 1
            return state.generation
        }
        Self.queue.add { [self] in
            let result = Result { try search() }
            let isCanceled = state.withLock { state in
                state.running -= 1
                return state.generation != generation
            }
            switch result {
            case _ where isCanceled: handler.value(nil, CLError(.geocodeCanceled))
            case .success(let placemarks): handler.value(placemarks, nil)
            case .failure(let error): handler.value(nil, error)
            }
        }
    }

    /// Returns what a search finds, or throws `geocodeCanceled` if the task is canceled.
    ///
    /// Other searches of the geocoder continue.
    private func found(
        _ search: (@escaping CLGeocodeCompletionHandler) -> Void
    ) async throws -> [CLPlacemark] {
        guard !Task.isCancelled else { throw CLError(.geocodeCanceled) }
        let result: Result<[CLPlacemark], any Error> = await withCheckedContinuation {
            continuation in
            search { placemarks, error in
                if let placemarks {
                    continuation.resume(returning: .success(placemarks))
                } else {
                    let error = error ?? CLError(.geocodeFoundNoResult)
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        // A search takes milliseconds, so it is not interrupted.
        guard !Task.isCancelled else { throw CLError(.geocodeCanceled) }
        return try result.get()
    }

    private static func placemarks(
        at location: CLLocation,
        _ locale: Locale?
    ) throws -> [CLPlacemark] {
        guard let gazetteer = Gazetteer.installed else { throw CLError(.network) }
        let place = gazetteer.place(
            latitude: location.coordinate.latitude,
            longitude: location.coordinate.longitude
        )
        guard let place else { throw CLError(.geocodeFoundNoResult) }
        return [CLPlacemark(place, at: location, locale ?? UserLocale.current)]
    }

    private static func placemarks(named address: String) throws -> [CLPlacemark] {
        guard let gazetteer = Gazetteer.installed else { throw CLError(.network) }
        let parts = address.split(whereSeparator: { ",\n".contains($0) })
            .map { Gazetteer.folded(String($0)) }.filter { !$0.isEmpty }
        let locale = UserLocale.current
        let languages = [locale, Locale(identifier: "en")]
        // The first part that is a place name counts; the parts after it narrow the result.
        for (index, part) in parts.enumerated() {
            let others = Set(parts[(index + 1)...])
            let found = gazetteer.places(named: part).filter { candidate in
                var names = [candidate.place.region, candidate.place.countryCode]
                names += languages.map { language in
                    candidate.place.countryCode.flatMap {
                        language.localizedString(forRegionCode: $0)
                    }
                }
                return others.isSubset(of: names.compactMap { $0.map(Gazetteer.folded) })
            }
            if found.isEmpty { continue }
            return found.prefix(10).map { candidate in
                CLPlacemark(
                    candidate.place,
                    at: CLLocation(
                        latitude: candidate.latitude,
                        longitude: candidate.longitude
                    ),
                    locale
                )
            }
        }
        throw CLError(.geocodeFoundNoResult)
    }
}
