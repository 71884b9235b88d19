public import Foundation
import Synchronization

// Foundation on Linux lacks conformances that published programs rely on, such as `date as CVarArg`
// in a predicate's arguments. Each value is encoded as a pointer to its object, as `%@` expects.
// Strings already conform.

extension NSDate: @retroactive CVarArg {
    /// A pointer to this object as a variable argument; the caller must keep the object alive.
    public var _cVarArgEncoding: [Int] { encodedPointer(to: self) }
}

extension NSNumber: @retroactive CVarArg {
    /// A pointer to this object as a variable argument; the caller must keep the object alive.
    public var _cVarArgEncoding: [Int] { encodedPointer(to: self) }
}

extension NSArray: @retroactive CVarArg {
    /// A pointer to this object as a variable argument; the caller must keep the object alive.
    public var _cVarArgEncoding: [Int] { encodedPointer(to: self) }
}

extension NSSet: @retroactive CVarArg {
    /// A pointer to this object as a variable argument; the caller must keep the object alive.
    public var _cVarArgEncoding: [Int] { encodedPointer(to: self) }
}

extension Date: @retroactive CVarArg {
    /// A pointer to an `NSDate` that stays valid until 1,024 further dates have been encoded.
    public var _cVarArgEncoding: [Int] {
        encodedPointer(to: EncodedDates.shared.keep(self as NSDate))
    }
}

private func encodedPointer(to object: AnyObject) -> [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(object).toOpaque())]
}

/// A ring buffer that retains the `NSDate` objects encoded most recently, so that encoded pointers
/// to them stay valid.
///
/// An argument list is usually read immediately after its creation, but nothing signals when it has
/// been read.
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
