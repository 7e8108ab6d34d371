// The key of the session, without which the server shows nothing of the room. It follows the `#` of
// the address after the login, and is kept in the storage of this origin: browsers send cookies to
// every port of a host, but show storage to the pages of one port only.

const NAME = 'robotix.key'
const HEADER = 'x-robotix-key'

const key = takeKey()

export const sessionKey = () => key

/** `fetch`, with the key of the session. */
export function fetchWithKey(address: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers)
  headers.set(HEADER, key)
  return fetch(address, { ...options, headers })
}

function takeKey(): string {
  const given = /^#key=([\w.-]+)$/.exec(globalThis.location?.hash ?? '')?.[1]
  if (!given) return stored()
  history.replaceState(null, '', location.pathname + location.search)
  try {
    localStorage.setItem(NAME, given) // for pages that are opened later
    sessionStorage.setItem(NAME, given) // for this one, whatever the others may do
  } catch {
    // Storage may be forbidden; then the session lasts as long as the page.
  }
  return given
}

function stored(): string {
  try {
    return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME) ?? ''
  } catch {
    return ''
  }
}
