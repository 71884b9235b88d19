import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// API that programs use and that Foundation and Dispatch lack on Linux.
@Suite(.timeLimit(.minutes(2))) struct FoundationGapTests {
    @Test func placesOfCellsAreSectionAndRow() {
        var place = IndexPath(item: 7, section: 2)
        #expect(place == IndexPath(indexes: [2, 7]))
        #expect(place == IndexPath(row: 7, section: 2))
        #expect(place.section == 2)
        #expect(place.row == 7)
        #expect(place.item == 7)
        place.item = 3
        place.section = 0
        #expect(place == IndexPath(row: 3, section: 0))
    }

    @Test func dispatchConstantsAreThoseOfC() {
        #expect(NSEC_PER_SEC == 1_000_000_000)
        #expect(NSEC_PER_SEC == NSEC_PER_MSEC * 1000)
        #expect(NSEC_PER_MSEC == NSEC_PER_USEC * 1000)
        #expect(USEC_PER_SEC * NSEC_PER_USEC == NSEC_PER_SEC)
    }

    @Test func coreFoundationNamesCastAsOnAppleSystems() throws {
        let url = URL(fileURLWithPath: "/photo.jpg")
        #expect((url as CFURL) as URL == url)
        #expect(kUTTypeJPEG as String == UTType.jpeg.identifier)
        let options = [kUTTypeImage: true, kUTTypeMovie: 2] as CFDictionary
        let byName = try #require(options as? [String: Any])
        #expect(byName["public.image"] as? Bool == true)
        #expect(byName[kUTTypeMovie as String] as? Int == 2)
        #expect(kCFBooleanTrue as? Bool == true)
        #expect(kCFBooleanFalse?.boolValue == false)
    }

    @Test func enumerableCollectionsGiveTheirElements() {
        let collections: [any NSFastEnumeration] = [
            [1, 2, 3], Set([1, 2, 3]), NSArray(array: [1, 2, 3]), NSSet(array: [1, 2, 3]),
            NSOrderedSet(array: [1, 2, 3]),
        ]
        for collection in collections {
            let found = NSFastEnumerationIterator(collection).compactMap { $0 as? Int }
            #expect(found.sorted() == [1, 2, 3], "\(type(of: collection))")
        }
        #expect(NSFastEnumerationIterator([3, 1, 2]).compactMap { $0 as? Int } == [3, 1, 2])
        var iterator = NSFastEnumerationIterator(NSOrderedSet(array: ["a"]))
        #expect(iterator.next() as? String == "a" && iterator.next() == nil)
    }

    @Test func argumentsOfFormatsAreTheirObjects() {
        let objects: [any CVarArg] = [
            NSNumber(value: 7), NSDate(timeIntervalSince1970: 5), NSArray(array: [1]),
            NSSet(array: [2]),
        ]
        for object in objects {
            let pointer = object._cVarArgEncoding.first.flatMap {
                UnsafeRawPointer(bitPattern: $0)
            }
            let found = pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
            #expect(found === object as AnyObject, "\(type(of: object))")
        }
        // A date stays valid while 1,024 further ones are encoded.
        let first = Date(timeIntervalSince1970: 11)._cVarArgEncoding[0]
        for second in 0..<1023 { _ = Date(timeIntervalSince1970: Double(second))._cVarArgEncoding }
        let date = UnsafeRawPointer(bitPattern: first).map {
            Unmanaged<NSDate>.fromOpaque($0).takeUnretainedValue()
        }
        #expect(date?.timeIntervalSince1970 == 11)
        #expect(Date()._cVarArgEncoding.count == 1)
    }

    @Test func errorsCastToNSErrorAndBack() {
        let error = AVError(
            bridging: AVError(.diskFull, "a")._bridgeToObjectiveC()
        )
        #expect(error?.code == .diskFull)
        let other = NSError(domain: "other", code: 1)
        var result: AVError?
        #expect(!AVError._conditionallyBridgeFromObjectiveC(other, result: &result))
        #expect(result == nil)
        let own = AVError(.exportFailed, "b")._bridgeToObjectiveC()
        #expect(AVError._conditionallyBridgeFromObjectiveC(own, result: &result))
        #expect(result?.code == .exportFailed)
        AVError._forceBridgeFromObjectiveC(own, result: &result)
        #expect(result?.localizedDescription == "b")
        #expect(AVError._unconditionallyBridgeFromObjectiveC(own).code == .exportFailed)
    }

    @Test func castingAnErrorOfAnotherDomainStops() async {
        await #expect(processExitsWith: .failure) {
            var result: AVError?
            let other = NSError(domain: "other", code: 1)
            AVError._forceBridgeFromObjectiveC(other, result: &result)
        }
        await #expect(processExitsWith: .failure) {
            _ = AVError._unconditionallyBridgeFromObjectiveC(nil)
        }
    }

    @Test func poolsReturnWhatTheyRun() throws {
        struct Refusal: Error {}
        #expect(autoreleasepool { 7 } == 7)
        #expect(throws: Refusal.self) { try autoreleasepool { throw Refusal() } }
        let now = Date().timeIntervalSinceReferenceDate
        #expect(abs(CFAbsoluteTimeGetCurrent() - now) < 60)
        #expect(kCFNull === NSNull())
    }

    @Test func filesHaveTheTypeOfTheirExtension() throws {
        let folder = try TemporaryFolder()
        func type(_ url: URL) throws -> UTType? {
            try url.resourceValues(forKeys: [.contentTypeKey]).contentType
        }
        #expect(try type(folder.write(Data(), to: "a.HEIC")) == .heic)
        #expect(try type(folder.write(Data(), to: "b.nothing")) == .data)
        #expect(try type(folder.folder("c.jpg"))?.identifier == "public.folder")
        #expect(try folder.url.resourceValues(forKeys: [.nameKey]).contentType == nil)
    }
}
