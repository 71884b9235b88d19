// `import Photos` brings Foundation and the types of other frameworks in PhotoKit's signatures.
@_exported public import PhotosCompanions
