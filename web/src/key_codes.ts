/** The `code` of a KeyboardEvent for a key as rooms name it: "T", "1", "Left", "PageUp". */
export function codeOf(key: string): string {
  if (/^[A-Za-z]$/.test(key)) return `Key${key.toUpperCase()}`
  if (/^[0-9]$/.test(key)) return `Digit${key}`
  return /^(Left|Right|Up|Down)$/.test(key) ? `Arrow${key}` : key
}
