import Dispatch
import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

/// The guarantees to handlers of image requests, for every combination of options and answers
/// (behavior 173–185, 194 and 196; pains 1 and 2).
@Suite(.timeLimit(.minutes(3)))
struct ImageContractTests {
    /// The renditions that are available without decoding.
    enum AtHand: CaseIterable { case nothing, less, all, failure }
    /// The result of decoding.
    enum Decoded: CaseIterable { case whole, damaged, failure }

    /// A combination of options and answers.
    struct Case: CustomStringConvertible {
        var delivery: PHImageRequestOptionsDeliveryMode
        var resize: PHImageRequestOptionsResizeMode
        var isSynchronous: Bool
        var wantsSecond: Bool
        var atHand: AtHand
        var decoded: Decoded

        var description: String {
            "\(delivery) \(resize) synchronous \(isSynchronous) second \(wantsSecond), "
                + "at hand \(atHand), decoded \(decoded)"
        }

        static var all: [Case] {
            var all: [Case] = []
            for delivery in PHImageRequestOptionsDeliveryMode.allCases {
                for resize in PHImageRequestOptionsResizeMode.allCases {
                    for isSynchronous in [false, true] {
                        for wantsSecond in [false, true] {
                            for atHand in AtHand.allCases {
                                for decoded in Decoded.allCases {
                                    all.append(
                                        Case(
                                            delivery: delivery,
                                            resize: resize,
                                            isSynchronous: isSynchronous,
                                            wantsSecond: wantsSecond,
                                            atHand: atHand,
                                            decoded: decoded
                                        )
                                    )
                                }
                            }
                        }
                    }
                }
            }
            return all
        }
    }

    /// A call of a handler.
    struct Call: @unchecked Sendable {
        // Unchecked because the dictionary is only read.
        var hasImage: Bool
        var info: [AnyHashable: Any]

        var isDegraded: Bool? { info[PHImageResultIsDegradedKey] as? Bool }
        var isCancelled: Bool { info[PHImageCancelledKey] as? Bool ?? false }
        var error: PHPhotosError? { info[PHImageErrorKey] as? PHPhotosError }
    }

    final class Calls: Sendable {
        private let calls = Mutex<[Call]>([])

        func add(_ image: UIImage?, _ info: [AnyHashable: Any]?) {
            calls.withLock { $0.append(Call(hasImage: image != nil, info: info ?? [:])) }
        }

        var list: [Call] { calls.withLock { $0 } }
    }

    private static let size = PixelSize(width: 2000, height: 2000)

    private static func library(_ test: Case) -> FakeLibrary {
        let library = FakeLibrary(assets: 2)
        let failure = LibraryError(.invalidResource, "It is damaged.", reason: "Truly.")
        library.state.withLock { state in
            for index in state.assets.indices {
                state.assets[index].pixelSize = PixelSize(width: 4000, height: 4000)
            }
            state.picture = { (request) throws(LibraryError) in
                switch (request.quality, test.atHand, test.decoded) {
                case (.atHand, .nothing, _), (.ready, .nothing, _), (.ready, .less, _): return nil
                case (.atHand, .less, _):
                    return FakeImage(size: PixelSize(width: 8, height: 8), isDegraded: true)
                case (.atHand, .all, _), (.ready, .all, _), (.full, _, .whole):
                    return FakeImage(size: PixelSize(width: 16, height: 16))
                case (.full, _, .damaged):
                    return FakeImage(size: PixelSize(width: 16, height: 16), damage: failure)
                case (.atHand, .failure, _), (.ready, .failure, _), (.full, _, .failure):
                    throw failure
                }
            }
        }
        return library
    }

    /// Requests an image, and returns the calls once no more can follow.
    private func calls(_ test: Case) async throws -> (calls: [Call], atReturn: Int) {
        let library = Self.library(test)
        let options = PHImageRequestOptions()
        options.deliveryMode = test.delivery
        options.resizeMode = test.resize
        options.isSynchronous = test.isSynchronous
        options.allowSecondaryDegradedImage = test.wantsSecond
        let calls = Calls()
        let manager = PHImageManager()
        let asset = try #require(
            library.use { PHAsset.fetchAssets(with: nil).lastObject }
        )
        let id = manager.requestImage(
            for: asset,
            targetSize: CGSize(width: Self.size.width, height: Self.size.height),
            contentMode: .aspectFit,
            options: options
        ) { image, info in calls.add(image, info) }
        let atReturn = calls.list.count
        #expect((id == PHInvalidImageRequestID) == test.isSynchronous, "\(test)")
        let deadline = ContinuousClock.now + .seconds(30)
        while !Self.isOver(calls.list, test), ContinuousClock.now < deadline {
            await Task.yield()
        }
        // A call after the last one would be on its way by now.
        await Self.mainQueueRound()
        for call in calls.list {
            #expect(call.info[PHImageResultRequestIDKey] as? PHImageRequestID == id, "\(test)")
            #expect(call.info[PHImageResultIsInCloudKey] as? Bool == false, "\(test)")
            #expect(call.isDegraded != nil, "\(test)")
            #expect(call.hasImage || call.error != nil || call.isCancelled, "\(test)")
            if let error = call.error { #expect(error.failureReason?.isEmpty == false, "\(test)") }
        }
        return (calls.list, atReturn)
    }

    private static func isOver(_ calls: [Call], _ test: Case) -> Bool {
        guard let last = calls.last else { return false }
        let isSingle = test.delivery == .fastFormat && !test.isSynchronous
        return isSingle || last.isDegraded == false
    }

    private static func mainQueueRound() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }

    /// Returns the expected calls: whether each is degraded, and whether the last has a picture.
    private func expected(_ test: Case) -> (degraded: [Bool], hasImage: Bool, hasError: Bool) {
        let ends = (
            hasImage: test.decoded != .failure, hasError: test.decoded != .whole
        )
        if test.isSynchronous { return ([false], ends.hasImage, ends.hasError) }
        // Without resizing, no available rendition is the complete picture.
        let canBeReady = test.resize != .none
        let isReady = canBeReady && test.atHand == .all
        switch test.delivery {
        case .highQualityFormat:
            if isReady { return ([false], true, false) }
            if canBeReady, test.atHand == .failure { return ([false], false, true) }
            return ([false], ends.hasImage, ends.hasError)
        case .fastFormat:
            switch test.atHand {
            case .nothing: return ([false], ends.hasImage, ends.hasError)
            case .less: return ([true], true, false)
            case .all: return ([!isReady], true, false)
            case .failure: return ([false], false, true)
            }
        case .opportunistic:
            if isReady { return ([false], true, false) }
            if test.atHand == .failure { return ([false], false, true) }
            var degraded: [Bool] = test.atHand == .nothing ? [] : [true]
            // 194: one more call if the file can be decoded at all.
            if test.wantsSecond, test.decoded != .failure { degraded.append(true) }
            return (degraded + [false], ends.hasImage, ends.hasError)
        }
    }

    @Test("Handlers are called as often, and with what, the options say")
    func everyCombination() async throws {
        for test in Case.all {
            let (calls, atReturn) = try await calls(test)
            let expected = expected(test)
            #expect(calls.map(\.isDegraded) == expected.degraded, "\(test)")
            #expect(calls.last?.hasImage == expected.hasImage, "\(test)")
            #expect((calls.last?.error != nil) == expected.hasError, "\(test)")
            #expect(calls.dropLast().allSatisfy { $0.hasImage && $0.error == nil }, "\(test)")
            // 178
            #expect(!test.isSynchronous || atReturn == 1, "\(test)")
        }
    }

    /// A library whose pictures wait until a test releases them.
    private final class Slow: Sendable {
        let library = FakeLibrary(assets: 2)
        let gate = DispatchSemaphore(value: 0)
        let begun = Atomic(0)

        init() {
            library.state.withLock { state in
                state.picture = { [gate, weak self] (request) throws(LibraryError) in
                    guard request.quality == .full else {
                        return FakeImage(size: PixelSize(width: 8, height: 8), isDegraded: true)
                    }
                    self?.begun.add(1, ordering: .sequentiallyConsistent)
                    gate.wait()
                    gate.signal()
                    return FakeImage(size: PixelSize(width: 16, height: 16))
                }
            }
        }
    }

    private func until(_ condition: () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition(), ContinuousClock.now < deadline { await Task.yield() }
        return condition()
    }

    @Test(
        "After a cancellation comes its word at most, and the work is told",
        arguments: [0, 1, 2]
    )
    func cancellation(_ moment: Int) async throws {
        let slow = Slow()
        let calls = Calls()
        let manager = PHImageManager()
        let asset = try #require(
            slow.library.use { PHAsset.fetchAssets(with: nil).lastObject }
        )
        let id = manager.requestImage(
            for: asset,
            targetSize: CGSize(width: 100, height: 100),
            contentMode: .aspectFit,
            options: nil
        ) { image, info in calls.add(image, info) }
        // Immediately, after the degraded picture, or while the other is decoded.
        if moment >= 1 { #expect(await until { calls.list.count == 1 }) }
        if moment >= 2 {
            #expect(await until { slow.begun.load(ordering: .sequentiallyConsistent) == 1 })
        }
        let before = calls.list.count
        manager.cancelImageRequest(id)
        manager.cancelImageRequest(id)
        #expect(await until { calls.list.last?.isCancelled == true })
        slow.gate.signal()
        await Self.mainQueueRound()
        await Self.mainQueueRound()
        // 180
        #expect(calls.list.count <= before + 1)
        #expect(calls.list.filter(\.isCancelled).count == 1)
        #expect(calls.list.last?.hasImage == false)
        if moment == 2 {
            let (requests, cancelled) = slow.library.state.withLock {
                ($0.imageRequests, $0.cancelledTickets)
            }
            let ticket = try #require(requests.last { $0.quality == .full }?.ticket)
            #expect(cancelled.contains(ticket))
        }
        // 181
        manager.cancelImageRequest(id)
    }

    @Test("What is cached answers what it covers, without asking the library (196)")
    func cachedPicturesAreShared() async throws {
        let library = Self.library(
            Case(
                delivery: .opportunistic,
                resize: .fast,
                isSynchronous: false,
                wantsSecond: false,
                atHand: .nothing,
                decoded: .whole
            )
        )
        let asset = try #require(library.use { PHAsset.fetchAssets(with: nil).lastObject })
        func ask(_ side: Int, isBright: Bool = false) -> UIImage? {
            let options = PHImageRequestOptions()
            options.isSynchronous = true
            options.preferHDR = isBright
            var found: UIImage?
            PHImageManager().requestImage(
                for: asset,
                targetSize: CGSize(width: side, height: side),
                contentMode: .aspectFit,
                options: options
            ) { image, _ in found = image }
            return found
        }
        let first = try #require(ask(16)?.cgImage)
        let count = library.state.withLock { $0.imageRequests.count }
        for side in [16, 12, 9] { #expect(ask(side)?.cgImage === first) }
        #expect(library.state.withLock { $0.imageRequests.count } == count)
        // Too small, far too large, or of another range: requested from the library again.
        for (side, isBright) in [(17, false), (4, false), (16, true)] {
            #expect(ask(side, isBright: isBright) != nil)
        }
        #expect(library.state.withLock { $0.imageRequests.count } > count)
    }

    @Test("Caching ahead asks as what may wait; damaged pictures are not kept")
    func prefetchIsLessUrgent() async throws {
        let library = Self.library(
            Case(
                delivery: .opportunistic,
                resize: .fast,
                isSynchronous: false,
                wantsSecond: false,
                atHand: .nothing,
                decoded: .damaged
            )
        )
        let asset = try #require(library.use { PHAsset.fetchAssets(with: nil).lastObject })
        let manager = PHCachingImageManager()
        manager.startCachingImages(
            for: [asset],
            targetSize: CGSize(width: 16, height: 16),
            contentMode: .aspectFit,
            options: nil
        )
        #expect(await until { !library.state.withLock { $0.imageRequests.isEmpty } })
        #expect(library.state.withLock { $0.imageRequests.map(\.priority) } == [.prefetch])
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        for _ in 0..<2 {
            manager.requestImage(
                for: asset,
                targetSize: CGSize(width: 16, height: 16),
                contentMode: .aspectFit,
                options: options
            ) { image, info in
                #expect(image != nil && info?[PHImageErrorKey] is PHPhotosError)
            }
        }
        let visible = library.state.withLock {
            $0.imageRequests.filter { $0.priority == .visible }
        }
        #expect(visible.count == 2)
    }
}
