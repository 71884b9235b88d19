import Foundation
import LibraryService
import PhotoModel
import Photos
import Testing

@Suite(.timeLimit(.minutes(2))) struct PredicateArgumentTests {
    private enum Level: Int { case high = 3 }
    private struct Flags: OptionSet { let rawValue: UInt }

    private static let date = Date(timeIntervalSinceReferenceDate: 1234.5)

    private func value(_ argument: Any?, _ placeholder: String = "%@") throws -> PredicateTerm? {
        guard
            case .comparison(let comparison) = try tree(
                NSPredicate(format: "a = \(placeholder)", argument)
            )
        else { return nil }
        return comparison.right
    }

    @Test func numbersOfAnyTypeAreNumbers() throws {
        let arguments: [Any] = [
            7, Int8(7), UInt8(7), Int16(7), Int32(7), UInt32(7), Int64(7), UInt(7), UInt64(7),
            NSNumber(value: 7), NSNumber(value: UInt8(7)), NSNumber(value: UInt64(7)),
        ]
        for placeholder in ["%@", "%d", "%i", "%u", "%ld", "%lu", "%lld", "%llu", "%li", "%zd"] {
            for argument in arguments { #expect(try value(argument, placeholder) == .integer(7)) }
        }
    }

    @Test func realsStayReal() throws {
        for argument in [1.5, Float(1.5), CGFloat(1.5), NSNumber(value: 1.5)] as [Any] {
            for placeholder in ["%@", "%f", "%lf", "%g", "%d"] {
                #expect(try value(argument, placeholder) == .value(.real(1.5)))
            }
        }
    }

    @Test func largeNumbersDoNotWrap() throws {
        #expect(try value(UInt64.max, "%llu") == .value(.real(Double(UInt64.max))))
        #expect(try value(NSNumber(value: UInt64.max)) == .value(.real(Double(UInt64.max))))
        #expect(try value(Int64.min, "%lld") == .integer(.min))
    }

    @Test func booleansAreTrueOrOne() throws {
        #expect(try value(true) == .value(.bool(true)))
        #expect(try value(NSNumber(value: true)) == .integer(1))
    }

    @Test func rawValuesAreTaken() throws {
        #expect(try value(Level.high) == .integer(3))
        #expect(try value(Flags(rawValue: 8), "%lu") == .integer(8))
        #expect(try value(PHAssetMediaType.video, "%d") == .integer(2))
        #expect(try value(PHAssetMediaSubtype.photoLive.rawValue, "%u") == .integer(8))
    }

    @Test func textsAndDatesAreTaken() throws {
        for argument in ["a", "a" as NSString, "a"[...]] as [Any] {
            #expect(try value(argument) == .text("a"))
        }
        for argument in [Self.date, Self.date as NSDate, Self.date as any CVarArg] as [Any] {
            #expect(try value(argument) == .value(.date(Self.date)))
        }
    }

    @Test func nilIsNull() throws {
        let missing: Date? = nil
        #expect(try value(missing) == .value(.null))
        #expect(try value(NSNull()) == .value(.null))
        #expect(try value(missing as Any) == .value(.null))
        #expect(try value(Date?.some(Self.date) as Any) == .value(.date(Self.date)))
    }

    @Test func collectionsAreLists() throws {
        let list = PredicateTerm.list([.integer(1), .integer(2)])
        for argument in [[1, 2], [1, 2] as NSArray, NSOrderedSet(array: [1, 2])] as [Any] {
            #expect(try value(argument) == list)
        }
        for argument in [Set([1]), NSSet(object: 1), [NSNumber(value: 1)]] as [Any] {
            #expect(try value(argument) == .list([.integer(1)]))
        }
        #expect(
            try value([Self.date, Self.date])
                == .list([.value(.date(Self.date)), .value(.date(Self.date))])
        )
        #expect(try value([String]()) == .list([]))
    }

    @Test func fetchResultsAreListsOfObjects() throws {
        let assets = FakeLibrary(assets: 2).use { PHAsset.fetchAssets(with: nil) }
        #expect(
            try value(assets)
                == .list([
                    .value(.object(FakeLibrary.uuid(1) + "/L0/001")),
                    .value(.object(FakeLibrary.uuid(2) + "/L0/001")),
                ])
        )
    }

    @Test func argumentArraysWorkAlike() throws {
        let predicate = NSPredicate(
            format: "(mediaType == %d AND duration >= %f) OR creationDate > %@",
            argumentArray: [1, NSNumber(value: 2.5), Self.date]
        )
        #expect(
            try tree(predicate)
                == .or([
                    .and([
                        compare("mediaType", .equal, .integer(1), at: 1),
                        compare("duration", .greaterOrEqual, .value(.real(2.5)), at: 21),
                    ]),
                    compare("creationDate", .greater, .value(.date(Self.date)), at: 40),
                ])
        )
        #expect(
            try tree(NSPredicate(format: "a = 1", argumentArray: nil))
                == compare("a", .equal, .integer(1))
        )
    }

    @Test func cArgumentListsAreRead() throws {
        let text = "title" as NSString
        let array = [3, 4] as NSArray
        let arguments: [any CVarArg] = [
            text, Int32(-5), 1.25, UInt64.max, Self.date, array, NSNumber(value: 6), Int64.min,
        ]
        let format = "%K = %d AND a = %f AND a = %llu AND a = %@ AND a IN %@ AND a = %@ AND a = %ld"
        let predicate = withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
        guard case .and(let nodes) = try tree(predicate) else {
            Issue.record("no conjunction")
            return
        }
        let values = nodes.map { node -> PredicateTerm? in
            if case .comparison(let comparison) = node { comparison.right } else { nil }
        }
        #expect(nodes.first == compare("title", .equal, .integer(-5)))
        #expect(
            values == [
                .integer(-5), .value(.real(1.25)), .value(.real(Double(UInt64.max))),
                .value(.date(Self.date)), .list([.integer(3), .integer(4)]), .integer(6),
                .integer(.min),
            ]
        )
    }

    @Test func argumentsLeftOverAreIgnored() throws {
        #expect(
            try tree(NSPredicate(format: "a = %d", 1, 2)) == compare("a", .equal, .integer(1))
        )
    }
}
