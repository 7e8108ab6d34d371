import type { Answer } from './protocol'

/** Commands that were sent and not yet answered. */
interface Answers {
  /** A new number for a command, and the promise of its answer. */
  expect(): { id: number; answer: Promise<Answer> }
  receive(answer: Answer): void
  /** Answer all that wait: no other answer will come. */
  fail(text: string): void
}

export function makeAnswers(): Answers {
  const waiting = new Map<number, (answer: Answer) => void>()
  let nextId = 1
  return {
    expect() {
      const id = nextId++
      return { id, answer: new Promise<Answer>((resolve) => waiting.set(id, resolve)) }
    },
    receive(answer) {
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    },
    fail(text) {
      for (const [id, resolve] of waiting) resolve({ kind: 'answer', id, ok: false, text })
      waiting.clear()
    },
  }
}
