import Foundation
import Photos

// The model is first shown with doubles, which need no library, then with the library.

do {
    try ModelDemo.run()
    print("doubles: the model shows what they hold")
} catch {
    print("FAILED: \(error)")
    exit(1)
}

// Requests answer on the main queue, so the work is done on another.
DispatchQueue.global().async {
    do {
        try LibraryDemo.run()
        print("All well.")
        exit(0)
    } catch {
        print("FAILED: \(error)")
        exit(1)
    }
}
dispatchMain()
