public import Foundation
import Synchronization

// Foundation on Linux leaves these types without a conformance that published programs rely on:
// `date as CVarArg` in a predicate's arguments. Each is encoded as a pointer to its object, as `%@`
// expects. Strings conform already.

extension NSDate: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps alive.
    public var _cVarArgEncoding: [Int] { encodedPointer(to: self) }
}

extension NSNumber: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps alive.
    public var _cVarArgEncoding: [Int] { encodedPointer(to: self) }
}

extension NSArray: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps alive.
    public var _cVarArgEncoding: [Int] { encodedPointer(to: self) }
}

extension NSSet: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps alive.
    public var _cVarArgEncoding: [Int] { encodedPointer(to: self) }
}

extension Date: @retroactive CVarArg {
    /// A pointer to an `NSDate`, which is valid until a thousand further dates were encoded.
    public var _cVarArgEncoding: [Int] {
        encodedPointer(to: EncodedDates.shared.keep(self as NSDate))
    }
}

private func encodedPointer(to object: AnyObject) -> [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(object).toOpaque())]
}

/// Keeps the objects that stand for dates in argument lists alive for a while.
///
/// A list of arguments is read where it is made; nothing tells when it has been.
private final class EncodedDates: Sendable {
    static let shared = EncodedDates()

    private let recent = Mutex((dates: [NSDate](), next: 0))

    func keep(_ date: NSDate) -> NSDate {
        recent.withLock { recent in
            if recent.dates.count < 1024 {
                recent.dates.append(date)
            } else {
                recent.dates[recent.next] = date
                recent.next = (recent.next + 1) % 1024
            }
        }
        return date
    }
}
