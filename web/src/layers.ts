// Layers of three.js: which cameras see what. Headsets use 1 and 2 for their eyes.

export const SOLID = 0
export const CLEAR = 4 // what light goes through: it darkens no corners
export const CHOSEN = 5 // drawn once more, for the outline
export const HOVERED = 6
