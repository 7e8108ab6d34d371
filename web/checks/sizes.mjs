// Functions have at most 80 lines, files 400; both counted as they stand, comments included.
// (Biome's rule for functions does not count all of their lines.)

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const MAX_FUNCTION_LINES = 80
const MAX_FILE_LINES = 400
const GENERATED = ['src/net/protocol.ts']
const WEB = join(dirname(fileURLToPath(import.meta.url)), '..')

const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(join(WEB, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !GENERATED.includes(name))

const faults = files.flatMap((file) => {
  const text = readFileSync(join(WEB, file), 'utf8')
  const lines = countLines(text)
  const long = functionsOf(parseSync(file, text).program)
    .map(({ node, name }) => ({ name, lines: countLines(text.slice(node.start, node.end)) }))
    .filter((each) => each.lines > MAX_FUNCTION_LINES)
    .map((each) => `${file}: ${each.name} has ${each.lines} lines (max ${MAX_FUNCTION_LINES})`)
  return lines > MAX_FILE_LINES
    ? [`${file} has ${lines} lines (max ${MAX_FILE_LINES})`, ...long]
    : long
})
if (faults.length) {
  console.error(faults.join('\n'))
  process.exit(1)
}

function countLines(text) {
  return text.trimEnd().split('\n').length
}

/** All functions in a syntax tree, with their own names or those of what they are assigned to. */
function functionsOf(node, name = 'a function') {
  if (typeof node !== 'object' || node === null) return []
  const known = node.id?.name ?? node.key?.name ?? name
  const below = Object.values(node).flatMap((child) => functionsOf(child, known))
  const isFunction = /Function/.test(node.type) && node.body
  return isFunction ? [{ node, name: known }, ...below] : below
}
