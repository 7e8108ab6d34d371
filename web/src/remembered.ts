// Preferences that outlive the page: theme, open panels, volume.

const PREFIX = 'robotix.'

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // Storage may be forbidden or full; then the preference lasts as long as the page.
  }
}

export function recall<T>(name: string): T | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}
