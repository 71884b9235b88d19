internal import Foundation

extension FilterDefinition {
    /// The attributes in the form of ``CIFilter/attributes``.
    var attributes: [String: Any] {
        var attributes: [String: Any] = [
            kCIAttributeFilterName: name, kCIAttributeFilterDisplayName: displayName,
            kCIAttributeFilterCategories: categories,
        ]
        for input in inputs { attributes[input.key] = input.attributes }
        return attributes
    }
}

extension FilterInput {
    fileprivate var attributes: [String: Any] {
        var attributes: [String: Any] = [
            kCIAttributeName: key, kCIAttributeDescription: help,
            kCIAttributeDisplayName: displayName,
        ]
        attributes[kCIAttributeDefault] = defaultValue
        switch kind {
        case .image:
            attributes[kCIAttributeClass] = "CIImage"
            attributes[kCIAttributeType] = kCIAttributeTypeImage
        case .number(_, let identity, let range, let slider, let type):
            attributes[kCIAttributeClass] = "NSNumber"
            attributes[kCIAttributeType] = type
            attributes[kCIAttributeIdentity] = NSNumber(value: identity)
            attributes[kCIAttributeSliderMin] = NSNumber(value: slider.lowerBound)
            attributes[kCIAttributeSliderMax] = NSNumber(value: slider.upperBound)
            if let range {
                attributes[kCIAttributeMin] = NSNumber(value: range.lowerBound)
                attributes[kCIAttributeMax] = NSNumber(value: range.upperBound)
            }
        case .color:
            attributes[kCIAttributeClass] = "CIColor"
            attributes[kCIAttributeType] = kCIAttributeTypeColor
        case .vector(let numbers, let type):
            attributes[kCIAttributeClass] = "CIVector"
            attributes[kCIAttributeType] = type
            attributes[kCIAttributeIdentity] = CIVector(numbers)
        case .transform:
            attributes[kCIAttributeClass] = "CGAffineTransform"
            attributes[kCIAttributeType] = kCIAttributeTypeTransform
            attributes[kCIAttributeIdentity] = CGAffineTransform.identity
        }
        return attributes
    }

    /// The display name of an input, made of the words of its key: “Target Neutral” for
    /// `inputTargetNeutral`.
    private var displayName: String {
        let name = key.hasPrefix("input") ? String(key.dropFirst(5)) : key
        return name.reduce(into: "") { words, letter in
            if letter.isUppercase, words.last?.isLowercase ?? false { words.append(" ") }
            words.append(letter)
        }
    }
}
