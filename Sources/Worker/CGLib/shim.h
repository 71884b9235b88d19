// Empty: the target only provides the include paths of GLib, which <vips/vips.h> needs and only
// pkg-config knows.
