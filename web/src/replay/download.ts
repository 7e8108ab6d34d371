/** Save something with the person's downloads. */
export function download(data: Blob, name: string): void {
  const href = URL.createObjectURL(data)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  window.setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
