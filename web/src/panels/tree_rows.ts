import type { NodeInfo } from '../net/protocol'

/** A line of the tree. */
export interface TreeRow {
  info: NodeInfo
  depth: number
  hasChildren: boolean
}

/** The nodes to be shown, parents before their children; a search shows what it finds and the parents of that. */
export function visibleRows(
  nodes: readonly NodeInfo[],
  wanted: string,
  folded: ReadonlySet<string>,
): TreeRow[] {
  const children = new Map<number, NodeInfo[]>()
  for (const node of nodes) children.set(node.parent, [...(children.get(node.parent) ?? []), node])
  const words = wanted.trim().toLowerCase()
  const found = words ? rowsWith(words, nodes) : undefined
  const shown: TreeRow[] = []
  const visit = (node: NodeInfo, depth: number) => {
    if (found && !found.has(node.row)) return
    const below = children.get(node.row) ?? []
    shown.push({ info: node, depth, hasChildren: below.length > 0 })
    if (found || !folded.has(node.name)) for (const child of below) visit(child, depth + 1)
  }
  for (const root of children.get(-1) ?? []) {
    if (found) visit(root, 0)
    else for (const child of children.get(root.row) ?? []) visit(child, 0) // the root is the room itself
  }
  return shown
}

/** Rows of the nodes whose names contain these words, and of all their parents. */
function rowsWith(words: string, nodes: readonly NodeInfo[]): Set<number> {
  const byRow = new Map(nodes.map((node) => [node.row, node]))
  const found = new Set<number>()
  for (const node of nodes) {
    if (!node.name.toLowerCase().includes(words)) continue
    let each: NodeInfo | undefined = node
    while (each && !found.has(each.row)) {
      found.add(each.row)
      each = byRow.get(each.parent)
    }
  }
  return found
}

/** The name of a node without that of its robot or parent. */
export function shortName(info: NodeInfo, parent: NodeInfo | undefined): string {
  const prefix = info.robot ? `${info.robot}/` : parent ? `${parent.name}/` : ''
  return prefix && info.name.startsWith(prefix) ? info.name.slice(prefix.length) : info.name
}
