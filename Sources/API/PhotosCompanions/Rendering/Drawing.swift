internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A renderer for ``CIImage`` objects, which sends rendering requests to `photos-worker` processes.
struct Drawing: Sendable {
    /// Indicates whether image operations work on linear light rather than on nonlinear sRGB
    /// values.
    let isLinear: Bool
    let priority: WorkPriority

    /// A rendered bitmap.
    struct Pixels {
        let memory: PixelMemory
        let hasAlpha: Bool
    }

    /// Renders a region of an image to pixels.
    func pixels(
        _ image: CIImage,
        in rect: CGRect,
        layout: PixelBufferLayout,
        _ components: PictureRendering.PixelComponents,
        _ colors: PixelColors,
        cancellation: WorkCancellation? = nil
    ) throws(CIRenderingError) -> Pixels {
        let output = PictureRendering.Output.pixels(layout, components)
        let answer = try draw(image, in: rect, as: output, colors, cancellation: cancellation)
        guard case .pixels(let pixels, let hasAlpha) = answer, let memory = pixels.mapped() else {
            throw CIRenderingError(
                .notRendered,
                "There is not enough memory for the drawn image.",
                recovery: "Quit other programs, or draw a smaller image."
            )
        }
        return Pixels(memory: memory, hasAlpha: hasAlpha)
    }

    /// Renders a region of an image as a movie frame for encoding, with premultiplied alpha.
    func frame(
        _ image: CIImage,
        in rect: CGRect,
        _ colors: PixelColors,
        cancellation: WorkCancellation?
    ) throws(CIRenderingError) -> SealedPixels {
        let components = PictureRendering.PixelComponents(alpha: .premultiplied)
        let output = PictureRendering.Output.pixels(.rgba, components)
        let answer = try draw(image, in: rect, as: output, colors, cancellation: cancellation)
        guard case .pixels(let pixels, _) = answer else {
            throw CIRenderingError(.notRendered, "The frame was not drawn as pixels.")
        }
        return pixels
    }

    /// Renders an image to a file.
    ///
    /// - Parameters:
    ///   - image: The image to render.
    ///   - rect: The region to render; nil for the whole image.
    ///   - output: The file type.
    ///   - colorSpace: The file's color space.
    ///   - original: The file whose EXIF data is copied, with an upright orientation; nil for the
    ///     first file among the image's sources.
    ///   - cancellation: The object that can cancel the call from another thread.
    /// - Returns: The file's data.
    /// - Throws: ``CIRenderingError`` with the reason for a failure.
    func file(
        _ image: CIImage,
        in rect: CGRect? = nil,
        as output: PictureRendering.Output,
        _ colorSpace: CGColorSpace,
        describedBy original: RecipeSource? = nil,
        cancellation: WorkCancellation? = nil
    ) throws(CIRenderingError) -> SealedMemory {
        let colors = try BitmapFormat.colors(colorSpace, .rgba)
        let answer = try draw(
            image,
            in: rect ?? image.extent,
            as: output,
            colors,
            describedBy: original,
            cancellation: cancellation
        )
        guard case .file(let file) = answer else {
            throw CIRenderingError(.notRendered, "The image was not drawn as a file.")
        }
        return file
    }

    /// Renders an image to a file with metadata that a program supplies.
    ///
    /// - Parameters:
    ///   - image: The image to render.
    ///   - output: The file type.
    ///   - colorSpace: The file's color space.
    ///   - attachments: The file's metadata.
    ///   - gainMap: The gain map to include.
    /// - Returns: The file's data.
    /// - Throws: ``CIRenderingError`` with the reason for a failure.
    func file(
        _ image: CIImage,
        as output: PictureRendering.Output,
        _ colorSpace: CGColorSpace,
        attachments: PictureAttachments,
        gainMap: RecipeSource?
    ) throws(CIRenderingError) -> SealedMemory {
        let answer = try draw(
            image,
            in: image.extent,
            as: output,
            try BitmapFormat.colors(colorSpace, .rgba),
            attachments: attachments,
            gainMap: gainMap,
            cancellation: nil
        )
        guard case .file(let file) = answer else {
            throw CIRenderingError(.notRendered, "The image was not drawn as a file.")
        }
        return file
    }

    private func draw(
        _ image: CIImage,
        in rect: CGRect,
        as output: PictureRendering.Output,
        _ colors: PixelColors,
        describedBy original: RecipeSource? = nil,
        attachments: PictureAttachments? = nil,
        gainMap: RecipeSource? = nil,
        cancellation: WorkCancellation?
    ) throws(CIRenderingError) -> RenderAnswer {
        if let failure = image.failure { throw failure }
        let region = try region(rect, of: image)
        var sources = image.sources
        if let original, !sources.contains(where: { $0 === original }) { sources.append(original) }
        var attachments = attachments
        if let gainMap {
            attachments?.gainMap?.source = sources.count
            sources.append(gainMap)
        }
        guard sources.count <= PictureRendering.maximumSources else {
            throw CIRenderingError(
                .invalidRequest,
                "The image is composed of \(sources.count) others.",
                reason: "At most \(PictureRendering.maximumSources) can be drawn at once.",
                recovery: "Draw a part of it with createCGImage, and continue with the result."
            )
        }
        let rendering = PictureRendering(
            recipe: image.recipe,
            sources: sources.map(\.description),
            region: region,
            output: output,
            colors: colors,
            isLinear: isLinear,
            metadata: original.map { original in
                let index = sources.firstIndex { $0 === original } ?? 0
                return PictureRendering.Metadata(source: index, orientation: .up)
            } ?? (attachments == nil ? metadata(of: image) : nil),
            attachments: attachments
        )
        // Retained until the worker has answered, because descriptor numbers alone don't keep files
        // open.
        var files: [Descriptor] = []
        for source in sources { files.append(try source.open()) }
        let answer: RenderAnswer
        do {
            answer = try withExtendedLifetime(files) { () throws(WorkerError) in
                try ForeignWorkers.pool.render(
                    rendering,
                    descriptors: files.map(\.number),
                    cancellation: cancellation,
                    priority: priority
                )
            }
        } catch {
            throw CIRenderingError(.notRendered, error.message, recovery: error.recovery)
        }
        switch answer {
        case .pixels, .file: return answer
        case .cancelled: throw CIRenderingError(.notRendered, "Drawing was canceled.")
        case .failed(let reason, let index):
            guard let index, sources.indices.contains(index) else {
                throw CIRenderingError(
                    .notRendered,
                    "The image cannot be drawn.",
                    reason: reason
                )
            }
            throw CIRenderingError(
                .unreadablePicture,
                "“\(sources[index].name)” cannot be read.",
                reason: reason
            )
        }
    }

    private func region(
        _ rect: CGRect,
        of image: CIImage
    ) throws(CIRenderingError) -> RecipeRectangle {
        let region = RecipeRectangle(rect).integral
        guard !region.isEmpty, !image.recipe.steps.isEmpty else {
            throw CIRenderingError(
                .invalidExtent,
                "There is nothing to draw: the image or its requested part is empty."
            )
        }
        guard !region.isInfinite else {
            throw CIRenderingError(
                .invalidExtent,
                "An infinite image cannot be drawn.",
                recovery: "Crop it with cropped(to:), or draw a part of it."
            )
        }
        guard region.width * region.height <= Double(WorkerLimits.standard.maximumPixels) else {
            throw CIRenderingError(
                .invalidExtent,
                "\(Int(region.width)) × \(Int(region.height)) pixels exceed the limit for drawing.",
                recovery: "Draw it in parts, or scale it down."
            )
        }
        return region
    }

    /// Returns the metadata to write, taken from the first source file, with the orientation from
    /// the image's properties.
    ///
    /// It returns nil if the image has no source file or no orientation.
    private func metadata(of image: CIImage) -> PictureRendering.Metadata? {
        guard let source = image.sources.firstIndex(where: \.isFile),
            let number = image.properties[PictureProperties.orientation] as? Int
        else { return nil }
        return PictureRendering.Metadata(
            source: source,
            orientation: PhotoModel.Orientation(rawValue: number) ?? .up
        )
    }
}
