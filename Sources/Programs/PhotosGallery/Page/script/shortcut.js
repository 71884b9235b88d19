// The keys of shortcuts, in any keyboard layout.

/**
 * The key of an event for a table of shortcuts. A letter is in lower case, with Shift or Caps Lock
 * too. In a layout without Latin letters, it is the one at the key's place in a Latin layout.
 */
export function shortcutKey({ key, code }) {
    if (/^[a-z]$/i.test(key)) return key.toLowerCase();
    const isForeign = [...key].length === 1 && key.codePointAt(0) > 0x7f;
    return isForeign && /^Key[A-Z]$/.test(code) ? code.at(-1).toLowerCase() : key;
}
