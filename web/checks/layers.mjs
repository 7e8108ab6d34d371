// Imports in src/ point down: a module imports from its own folder and from lower layers only.
// Type-only imports count. Import cycles are found by biome (noImportCycles).

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const SRC = join(dirname(fileURLToPath(import.meta.url)), '..', 'src')

// From top to bottom. Folders in one row do not see each other. Modules are named with their
// folder; a folder stands for the modules in it that are not named themselves.
const LAYERS = [
  ['main'],
  ['replay'],
  ['panels', 'input', 'overlays', 'sound'],
  ['wall'],
  ['shell'],
  ['stage'],
  ['cameras'],
  ['room'],
  ['net'],
  [
    'app',
    'combine',
    'layers',
    'key_codes',
    'listeners',
    'quality',
    'remembered',
    'rigid_fit',
    'roles',
  ],
  ['net/protocol'],
]
// Modules of one row that may see each other: the shared vocabulary of the page.
const VOCABULARY = LAYERS[LAYERS.length - 2]

const modules = readdirSync(SRC, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .sort()

const faults = modules.flatMap((file) => {
  const own = placeOf(file.slice(0, -3))
  if (!own) return [`src/${file} has no layer: give its folder one in checks/layers.mjs`]
  return importsOf(file).flatMap((target) => {
    const other = placeOf(target)
    if (!other) return [`src/${file} imports ${target}, which has no layer`]
    return mayImport(own, other) ? [] : [`src/${file} must not import ${target}`]
  })
})
if (faults.length) {
  console.error(faults.join('\n'))
  process.exit(1)
}

/** The layer of a module and the name it has there. */
function placeOf(module) {
  for (const name of [module, module.split('/')[0]]) {
    const layer = LAYERS.findIndex((names) => names.includes(name))
    if (layer >= 0) return { layer, name }
  }
  return undefined
}

function mayImport(own, other) {
  if (own.name === other.name || other.layer > own.layer) return true
  return VOCABULARY.includes(own.name) && VOCABULARY.includes(other.name)
}

/** What a module imports from this project, as paths in src/ without suffix. */
function importsOf(file) {
  const text = readFileSync(join(SRC, file), 'utf8')
  const found = text.matchAll(/(?:\bfrom|\bimport|\bimport\(|new URL\()\s*'(\.[^']+)'/g)
  return [...found]
    .map(([, path]) => relative(SRC, normalize(join(SRC, dirname(file), path))))
    .map((path) => path.replaceAll('\\', '/').replace(/\.ts$/, ''))
    .filter((path) => !path.endsWith('.css'))
}
