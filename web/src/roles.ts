// Whose page this is, as its address says: `?role=participant`.

export type Role = 'operator' | 'participant' | 'spectator'

const ROLES: readonly Role[] = ['operator', 'participant', 'spectator']

/** The operator's console, unless the address says otherwise. */
export function roleOf(query: string): Role {
  const asked = new URLSearchParams(query).get('role') as Role
  return ROLES.includes(asked) ? asked : 'operator'
}
