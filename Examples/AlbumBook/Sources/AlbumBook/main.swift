import Foundation
import Photos

// The model is used with test doubles first, which need no library, and then with the library.

do {
    try ModelDemo.run()
    print("doubles: the model shows their values")
} catch {
    print("FAILED: \(error)")
    exit(1)
}

// Handlers are called on the main queue, so the work runs on another one.
DispatchQueue.global().async {
    do {
        try LibraryDemo.run()
        print("All checks passed.")
        exit(0)
    } catch {
        print("FAILED: \(error)")
        exit(1)
    }
}
dispatchMain()
