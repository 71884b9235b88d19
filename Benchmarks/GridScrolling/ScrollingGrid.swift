internal import Foundation
package import Photos
internal import Synchronization

/// A scrolling grid of pictures, which requests those that become visible and cancels the requests
/// for those that are scrolled out.
///
/// It holds the visible pictures, as views do. With a caching manager it starts caching a screen
/// ahead and behind, and stops caching what is farther away. It is used by one thread, the main
/// thread, like a program's views.
package final class ScrollingGrid {
    /// The size of the grid.
    package struct Layout: Sendable {
        /// The number of cells in a row.
        package var columns: Int
        /// The number of visible rows.
        package var rows: Int
        /// The longer side of a cell's picture, in pixels.
        package var side: Double

        package init(columns: Int = 8, rows: Int = 10, side: Double = 256) {
            self.columns = columns
            self.rows = rows
            self.side = side
        }

        /// The number of visible cells.
        package var cells: Int { columns * rows }
    }

    /// The visible pictures, which handlers store.
    private final class Shelf: Sendable {
        private let pictures = Mutex<[Int: UIImage?]>([:])

        func add(_ index: Int) { pictures.withLock { $0[index] = .some(nil) } }
        func remove(_ index: Int) { pictures.withLock { $0[index] = nil } }

        /// Stores a picture for a cell, which may have been scrolled out in the meantime.
        func put(_ picture: UIImage, at index: Int) {
            pictures.withLock { pictures in
                if pictures[index] != nil { pictures[index] = .some(picture) }
            }
        }
    }

    package let book = RequestBook()
    private let assets: PHFetchResult<PHAsset>
    private let layout: Layout
    private let manager: PHImageManager
    private let caching: PHCachingImageManager?
    private let shelf = Shelf()
    private var running: [Int: PHImageRequestID] = [:]
    private var visible = 0..<0
    private var cached = 0..<0

    /// Creates a grid of assets, none of which is visible yet.
    ///
    /// - Parameters:
    ///   - assets: The assets to show, in order.
    ///   - layout: The size of the grid.
    ///   - caches: Whether to cache ahead.
    package init(_ assets: PHFetchResult<PHAsset>, layout: Layout, caches: Bool) {
        self.assets = assets
        self.layout = layout
        let caching = caches ? PHCachingImageManager() : nil
        self.caching = caching
        manager = caching ?? PHImageManager()
    }

    /// The number of rows.
    package var rowCount: Int { (assets.count + layout.columns - 1) / layout.columns }

    /// The first top row at which the last row is visible.
    package var lastTop: Int { max(0, rowCount - layout.rows) }

    private var size: CGSize { CGSize(width: layout.side, height: layout.side) }

    /// Scrolls so that `row` is the uppermost visible one.
    package func scroll(to row: Int) {
        let top = min(max(0, row), lastTop)
        let sight = indexes(from: top, rows: layout.rows)
        cacheAround(top)
        for index in visible where !sight.contains(index) { leave(index) }
        for index in sight where !visible.contains(index) { enter(index) }
        visible = sight
    }

    /// Removes all pictures, and stops caching.
    package func close() {
        for index in visible { leave(index) }
        visible = 0..<0
        cached = 0..<0
        caching?.stopCachingImagesForAllAssets()
    }

    private func indexes(from row: Int, rows: Int) -> Range<Int> {
        let first = min(max(0, row) * layout.columns, assets.count)
        let end = min(max(0, row + rows) * layout.columns, assets.count)
        return first..<max(first, end)
    }

    private func enter(_ index: Int) {
        let number = book.open()
        shelf.add(index)
        running[index] = manager.requestImage(
            for: assets.object(at: index),
            targetSize: size,
            contentMode: .aspectFit,
            options: nil
        ) { [book, shelf] image, info in
            book.record(number, hasPicture: image != nil, info: info)
            if let image { shelf.put(image, at: index) }
        }
    }

    private func leave(_ index: Int) {
        shelf.remove(index)
        guard let id = running.removeValue(forKey: index) else { return }
        manager.cancelImageRequest(id)
    }

    /// Caches a screen before and behind the visible one, each time that a third of a screen was
    /// scrolled.
    private func cacheAround(_ top: Int) {
        guard let caching else { return }
        let wanted = indexes(from: top - layout.rows, rows: layout.rows * 3)
        let moved = abs(wanted.lowerBound - cached.lowerBound)
        guard moved * 3 >= layout.cells || cached.isEmpty else { return }
        let added = wanted.filter { !cached.contains($0) }.map(assets.object(at:))
        let removed = cached.filter { !wanted.contains($0) }.map(assets.object(at:))
        if !removed.isEmpty {
            caching.stopCachingImages(
                for: removed,
                targetSize: size,
                contentMode: .aspectFit,
                options: nil
            )
        }
        if !added.isEmpty {
            caching.startCachingImages(
                for: added,
                targetSize: size,
                contentMode: .aspectFit,
                options: nil
            )
        }
        cached = wanted
    }
}
