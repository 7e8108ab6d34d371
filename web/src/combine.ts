type Combined<Parts extends readonly object[]> = Parts extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & Combined<Rest>
  : unknown

/** Make one object out of several. Getters and setters stay what they are; a spread would freeze their values. */
export function combine<Parts extends readonly object[]>(...parts: Parts): Combined<Parts> {
  const whole = {}
  for (const part of parts) Object.defineProperties(whole, Object.getOwnPropertyDescriptors(part))
  return whole as Combined<Parts>
}
