public import Foundation
internal import Geography
internal import Synchronization

/// Takes what was found, or why nothing was.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Finds what places are called, and where they are; offline.
///
/// The names are those of the gazetteer that comes with the library (see ``CLPlacemark``): nothing is sent
/// anywhere, and there is no limit on requests. Handlers are called on no particular queue.
open class CLGeocoder: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; what changes is in a Mutex.

    private struct State {
        var running = 0
        /// Searches with a smaller number were canceled.
        var generation = 0
    }

    private let state = Mutex(State())

    /// A geocoder.
    public override init() { super.init() }

    /// Whether a search has not been answered yet.
    open var isGeocoding: Bool { state.withLock { $0.running > 0 } }

    /// Finds what a place is called.
    ///
    /// The handler gets one placemark; the error `geocodeFoundNoResult` far from all places that are
    /// known, as at sea.
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

    /// Finds what a place is called, in a language.
    ///
    /// Names of countries are in that language, others as the gazetteer has them.
    ///
    /// - Parameters:
    ///   - location: The place.
    ///   - locale: The language; nil for the user's.
    ///   - completionHandler: Gets one placemark, or an error.
    open func reverseGeocodeLocation(
        _ location: CLLocation,
        preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        answer(completionHandler) { try Self.placemarks(at: location, locale) }
    }

    /// Finds what a place is called.
    ///
    /// - Throws: A ``CLError``.
    open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
        try await reverseGeocodeLocation(location, preferredLocale: nil)
    }

    /// Finds what a place is called, in a language.
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

    /// Finds where a city or town is.
    ///
    /// - Parameters:
    ///   - addressString: Its name, with its region and country after commas where there are more of that
    ///     name; without them the largest is taken. Streets are not known.
    ///   - completionHandler: Gets the placemarks, the likeliest first, or an error.
    open func geocodeAddressString(
        _ addressString: String,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        answer(completionHandler) { try Self.placemarks(named: addressString) }
    }

    /// Finds where a city or town is.
    ///
    /// - Throws: A ``CLError``.
    open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
        try await found { geocodeAddressString(addressString, completionHandler: $0) }
    }

    /// Cancels searches that have not been answered: their handlers get the error `geocodeCanceled`.
    open func cancelGeocode() { state.withLock { $0.generation += 1 } }

    // MARK: - Parts

    private static let queue = DispatchQueue(label: "photos.geocoder", attributes: .concurrent)

    private func answer(
        _ handler: @escaping CLGeocodeCompletionHandler,
        _ search: @escaping @Sendable () throws -> [CLPlacemark]
    ) {
        let handler = UncheckedValue(value: handler)
        let generation = state.withLock { state in
            state.running += 1
            return state.generation
        }
        Self.queue.async { [self] in
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

    private func found(
        _ search: (@escaping CLGeocodeCompletionHandler) -> Void
    ) async throws -> [CLPlacemark] {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                search { placemarks, error in
                    if let placemarks {
                        continuation.resume(returning: placemarks)
                    } else {
                        continuation.resume(throwing: error ?? CLError(.geocodeFoundNoResult))
                    }
                }
            }
        } onCancel: {
            cancelGeocode()
        }
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
        // The first part that is the name of a place; what comes after it says which one is meant.
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
